import { type Command, InvalidArgumentError } from 'commander'
import { type Journal, JournalError, type RunSummary, follow } from '@toolglot/agent/journal'
import { UserError } from '@toolglot/workspace'
import { findRun } from '../../input/find-run.ts'
import { fromInput, PROMPT_LIMIT, textOf } from '../../input/source.ts'
import { resumeCommand } from '../../show/resume-command.ts'
import { shellWord } from '../../show/text/shell-word.ts'
import { type Terminal, write, colorsOf } from '../../terminal.ts'
import { useJournal } from '../use-journal.ts'
import { createStopSignal } from '../../process-events.ts'
import { createRecordedView } from '../recorded-view.ts'

/** `toolglot runs stop` and `send`: control a run that another process executes. */
export function addControl(runs: Command, terminal: Terminal): void {
  const say = (text: string): Promise<void> => write(terminal.output, text)
  runs
    .command('stop')
    .description('stop a run permanently, even if another process executes it')
    .argument('<run>', 'its id, its name, or last')
    .action((text: string) =>
      useJournal(terminal, async (journal) => {
        const { run } = await findRun(journal, text)
        if (!(await journal.stop(run))) throw hasEnded(run, 'There is nothing to stop')
        const { state } = await findRun(journal, run)
        await say(state === 'finished' ? `Stopped ${run}\n` : `Told ${run} to stop\n`)
      }),
    )
  runs
    .command('send')
    .description('send a message to a run, which reads it before its next turn')
    .argument('<run>', 'its id, its name, or last')
    .argument('[message...]', 'the message; piped input is added')
    .action((text: string, words: string[]) =>
      useJournal(terminal, async (journal) => {
        const { run } = await findRun(journal, text)
        const message = await messageOf(words, terminal)
        await send(journal, run, message)
        await say(`Sent to ${run}${whenRead(await findRun(journal, run), terminal)}\n`)
      }),
    )
}

async function messageOf(words: readonly string[], terminal: Terminal): Promise<string> {
  const piped = terminal.hasInput ? (await textOf(fromInput(terminal), PROMPT_LIMIT)).trim() : ''
  const message = [words.join(' ').trim(), piped].filter((part) => part !== '').join('\n\n')
  if (message !== '') return message
  throw new UserError('usage', 'No message. Try: toolglot runs send last "Use the other folder."')
}

async function send(journal: Journal, run: string, message: string): Promise<void> {
  try {
    await journal.send(run, message)
  } catch (error) {
    if (!(error instanceof JournalError && error.problem === 'ended')) throw error
    throw hasEnded(run, `Continue it with toolglot run --resume ${shellWord(run)} "your message"`)
  }
}

function hasEnded(run: string, advice: string): UserError {
  return new UserError('data', `${run} has already ended. ${advice}`)
}

function whenRead(summary: RunSummary, { cwd }: Terminal): string {
  if (summary.state !== 'interrupted') return ''
  return `. No process is executing it. To continue it: ${resumeCommand(summary, cwd)}`
}

interface Flags {
  readonly after?: number
  readonly json?: true
  readonly raw?: true
}

/** `toolglot runs follow`: shows a run that another process executes. */
export function addFollow(runs: Command, terminal: Terminal): void {
  runs
    .command('follow')
    .description('show a run that another process executes, until it ends')
    .argument('<run>', 'its id, its name, or last')
    .option('--after <seq>', 'only the events after this number', sequenceOf)
    .option('--json', 'print its events as JSON, one per line')
    .option('--raw', 'do not redact likely secrets')
    .action((text: string, _: object, command: Command) =>
      useJournal(terminal, async (journal) => {
        // `runs` also has --json, and parses it first.
        const flags = command.optsWithGlobals<Flags>()
        const summary = await findRun(journal, text)
        const { run } = summary
        if (summary.state === 'interrupted')
          noteNobody(resumeCommand(summary, terminal.cwd), terminal)
        const stop = createStopSignal()
        try {
          const view = createRecordedView(terminal, { ...flags, journal, asksElsewhere: true })
          const { after } = flags
          const events = follow(journal, run, {
            signal: stop.signal,
            after,
          })
          for await (const event of events) await view.show(event)
          view.end()
        } finally {
          stop.forget()
        }
      }),
    )
}

function noteNobody(command: string, { errors, env }: Terminal): void {
  errors.write(
    colorsOf(errors, env).dim(`No process is executing it. To continue it: ${command}\n`),
  )
}

function sequenceOf(text: string): number {
  const seq = Number(text)
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(seq))
    throw new InvalidArgumentError('Events are numbered from 0.')
  return seq
}
