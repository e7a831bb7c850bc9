import { type Command, InvalidArgumentError } from 'commander'
import { follow } from '@toolglot/agent/journal'
import { findRun } from '../../input/find-run.ts'
import { resumeCommand } from '../../show/resume-command.ts'
import { createStopSignal } from '../../stop-signal.ts'
import { colorsOf, type Terminal } from '../../terminal.ts'
import { createRecordedView } from '../recorded-view.ts'
import { useJournal } from '../use-journal.ts'

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
    .option('--after <seq>', 'only the events after the one with this number', sequenceOf)
    .option('--json', 'print its events as JSON, one per line')
    .option('--raw', 'do not redact what looks like a secret')
    .action((text: string, _: object, command: Command) =>
      useJournal(terminal, async (journal) => {
        // `runs` has --json too, and takes it.
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
    colorsOf(errors, env).dim(`No process executes it now. To continue it: ${command}\n`),
  )
}

function sequenceOf(text: string): number {
  const seq = Number(text)
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(seq))
    throw new InvalidArgumentError('Expected the seq of an event, from 0.')
  return seq
}
