import { type Command, Option } from 'commander'
import { run, type RunEvent } from '@toolglot/agent'
import type { RunSummary, JournalRecord } from '@toolglot/agent/journal'
import { type ChosenModel, type RunSetup, UserError, withMentions } from '@toolglot/workspace'
import { checkRules, newRun, stateFolder, visible, visibleLine } from '@toolglot/workspace/internal'
import { Exit } from '../exit.ts'
import { keyboardOf, createPromptQueue } from '../person/keyboard.ts'
import { runToResume } from '../input/find-run.ts'
import { fromInput, PROMPT_LIMIT, textOf } from '../input/source.ts'
import { workspaceForTools } from '../open-workspace.ts'
import { runExamples, showExamples } from '../show/examples.ts'
import { resumeAgain } from '../show/resume-command.ts'
import { toJson } from '../show/text/json.ts'
import { showEnd } from '../show/run/end.ts'
import { createRunView } from '../show/run/run-view.ts'
import { showChosenModel } from '../show/run/chosen-model.ts'
import { createStopSignal, warnStrayRejections } from '../process-events.ts'
import { type Ended, follow } from '../run/follow.ts'
import { chooseModel } from '../run/choose-model.ts'
import { type Fork, findFork, prepareFiles } from '../run/fork.ts'
import { noteRequest } from '../show/waiting.ts'
import { runOptions, withSetup, type WaitingFlags } from '../run/run-options.ts'
import { type Colors, colorsOf, columnsOf, type Terminal, write, warn } from '../terminal.ts'
import { addRunFlags, checkForkFlags, type RunFlags } from './run-flags.ts'

interface Flags extends RunFlags, WaitingFlags {
  readonly json?: true
}

/** `toolglot run`: answers one prompt. */
export function addRun(program: Command, terminal: Terminal): void {
  const { bold } = colorsOf(terminal.output, terminal.env)
  const command = program
    .command('run')
    .description('ask a model, run the tools it calls, and print its answer')
    .argument('[prompt]', 'the question or task; piped input is added, and @file attaches a file')
  addRunFlags(command)
    .addOption(
      new Option(
        '--attended',
        'wait for answers from elsewhere (toolglot runs answer) instead of this terminal',
      ).conflicts(['suspend', 'interactive']),
    )
    .addOption(
      new Option(
        '--suspend',
        'exit with code 3 when the run needs an answer; --resume continues it',
      ).conflicts('interactive'),
    )
    .option('--json', 'print every event as JSON, one per line')
    .showHelpAfterError('Help: toolglot run --help')
    .addHelpText('after', () => `\n${showExamples(bold('Examples:'), runExamples)}`)
    .action((prompt: string | undefined, flags: Flags) => start(prompt, flags, terminal))
}

async function start(words: string | undefined, flags: Flags, terminal: Terminal): Promise<void> {
  checkForkFlags(flags)
  const prompt = await promptOf(words, flags, terminal)
  const stop = createStopSignal()
  const stray = warnStrayRejections(terminal)
  try {
    const workspace = await workspaceForTools(flags, terminal)
    await checkRules(workspace)
    // Throws if nothing can be recorded, before other messages are printed.
    stateFolder(workspace.directories)
    const chosen = await chooseModel(
      { ...flags, required: true, signal: stop.signal },
      workspace,
      terminal,
    )
    // Opening the tools takes a while, so the model is announced first.
    const isNew = flags.resume === undefined && flags.fork === undefined
    if (isNew) announce(chosen, flags, terminal)
    await withSetup({ workspace, flags, stop, terminal }, (setup) =>
      answer({ prompt, chosen }, flags, setup, stop.signal, terminal),
    )
  } finally {
    stop.forget()
    stray.forget()
  }
}

/** Prints the model and the reason for choosing it. `before`: the run that is resumed or copied. */
function announce(
  chosen: ChosenModel,
  { json }: Flags,
  { errors, env }: Terminal,
  before?: RunSummary,
): void {
  if (json) return
  const shown = showChosenModel(chosen, colorsOf(errors, env), columnsOf(errors), before)
  errors.write(`${shown}\n`)
}

async function answer(
  { prompt, chosen }: Pick<Started, 'prompt' | 'chosen'>,
  flags: Flags,
  setup: RunSetup,
  signal: AbortSignal,
  terminal: Terminal,
): Promise<void> {
  for (const warning of setup.warnings) warn(visibleLine(warning), terminal)
  const before = await runToResume(setup.journal, flags.resume, terminal)
  const fork = flags.fork === undefined ? undefined : await findFork(setup, flags.fork, flags.turn)
  if (fork) terminal.errors.write(await prepareFiles(fork, flags, setup))
  const id = before?.run ?? newRun()
  const earlier = before ?? fork?.source
  if (earlier) announce(chosen, flags, terminal, earlier)
  const started = { id, prompt, chosen, fork, before }
  const waits = before ? await waitingFlags(before.run, flags, setup, terminal) : {}
  const ended = await drive(started, { ...flags, ...waits }, setup, signal, terminal)
  await showEnding(ended, flags, setup, terminal)
}

/**
 * Answers given elsewhere are used even without a terminal. Further requests suspend the run again.
 */
async function waitingFlags(
  run: string,
  { attended, suspend, interactive }: Flags,
  { journal }: RunSetup,
  terminal: Terminal,
): Promise<WaitingFlags> {
  const isAsked = attended || suspend || terminal.ask !== undefined || !interactive
  return !isAsked && hasUnreadAnswers(await journal.read(run)) ? { suspend: true } : {}
}

interface Started {
  readonly id: string
  readonly prompt: Prompt | undefined
  readonly chosen: ChosenModel
  readonly fork: Fork | undefined
  /** The run to resume. */
  readonly before: RunSummary | undefined
}

async function drive(
  { id, prompt, chosen, fork, before }: Started,
  flags: Flags,
  setup: RunSetup,
  signal: AbortSignal,
  terminal: Terminal,
): Promise<Ended> {
  const { errors, output, env } = terminal
  for (const note of setup.systemFor(chosen.model.contextTokens).notes)
    warn(visibleLine(note), terminal)
  const mentioned = prompt && (await withMentions(prompt.said, setup, { run: id, chosen, signal }))
  for (const { path, reason } of mentioned?.missing ?? [])
    warn(visibleLine(`@${path}: ${reason}`), terminal)

  const promptQueue = createPromptQueue()
  const keyboard = keyboardOf(terminal)
  const asksElsewhere = flags.attended === true || flags.suspend === true
  const text = output.isTTY ? output : undefined
  const view = createRunView({ text, notes: errors, env, asksElsewhere })
  const show = async (event: RunEvent): Promise<void> => {
    if (flags.json) return write(output, `${toJson(event)}\n`)
    view.show(event)
    if (asksElsewhere) await noteRequest(event, view, setup.journal)
  }
  const content = prompt && mentioned && [mentioned.content, ...prompt.piped].join('\n\n')
  if (content !== undefined) view.typed(content)
  const events = run({
    ...runOptions({
      setup,
      chosen,
      flags,
      promptQueue,
      keyboard,
      screen: errors,
      env,
      signal,
      view,
    }),
    id,
    ...(prompt &&
      mentioned &&
      content !== undefined && {
        prompt: content,
        untrusted: [...setup.untrusted, ...mentioned.untrusted, ...prompt.piped],
      }),
    ...(before && { resume: true }),
    ...(fork && { fork: { run: fork.source.run, turn: fork.turn } }),
  })
  return follow(events, { show, promptQueue })
}

async function showEnding(
  ended: Ended,
  flags: Flags,
  { checkpoints }: RunSetup,
  { output, errors, env }: Terminal,
): Promise<void> {
  const { run: id, reason, text, nobodyToAsk, otherProtocol, pending } = ended
  const { json } = flags
  const colors = colorsOf(errors, env)
  const resume = resumeAgain('run', id, flags)
  if (pending) {
    const again = resumeAgain('run', id, { ...flags, suspend: true })
    errors.write(showSuspended(pending.length, id, again, colors))
    throw new Exit(SUSPENDED)
  }
  if (!json && !output.isTTY && text !== '') await write(output, `${visible(text)}\n`)
  errors.write(showEnd(ended, colors))
  if (!json && (await checkpoints.changes(id)).length > 0)
    errors.write(colors.dim(`To undo its changes: toolglot undo ${id}\n`))
  if (reason !== 'answer') errors.write(`To resume: ${resume}\n`)
  if (nobodyToAsk)
    errors.write(
      `${colors.yellow('denied:')} a call needed approval, and no terminal was available. Allow it with --allow RULE; toolglot permit suggests rules.\n`,
    )
  if (otherProtocol)
    errors.write(
      `${colors.yellow('denied:')} a call was not written in the format that the model was told to use, and no terminal was available to confirm it. Try another one with --protocol.\n`,
    )
  if (reason !== 'answer' || nobodyToAsk || otherProtocol) throw new Exit(1)
}

/** The exit code of a run that is waiting for an answer and that no process is executing. */
const SUSPENDED = 3

function showSuspended(count: number, id: string, resume: string, { yellow }: Colors): string {
  const answers = count === 1 ? 'an answer' : `${count} answers`
  const waiting = `${yellow('suspended:')} the run is waiting for ${answers}: toolglot runs waiting ${id}\n`
  return `${waiting}To continue then: ${resume}\n`
}

/**
 * The user's prompt and the piped input. Input is untrusted data: `@file` in it attaches nothing.
 */
interface Prompt {
  readonly said: string
  readonly piped: readonly string[]
}

async function promptOf(
  words: string | undefined,
  { resume, fork }: Flags,
  terminal: Terminal,
): Promise<Prompt | undefined> {
  const piped = terminal.hasInput ? (await textOf(fromInput(terminal), PROMPT_LIMIT)).trim() : ''
  const said = words?.trim() ?? ''
  if (said !== '') return { said, piped: piped === '' ? [] : [piped] }
  if (piped !== '') return { said: piped, piped: [] }
  if (resume !== undefined || fork !== undefined) return undefined
  throw new UserError(
    'usage',
    'No prompt. Try: toolglot run "What version is in package.json?", or toolglot chat',
  )
}

/** True if there are answers that the run has not read yet. */
function hasUnreadAnswers(records: readonly JournalRecord[]): boolean {
  return records.some(
    ({ kind, key }, at) =>
      kind === 'answer' &&
      !records
        .slice(at)
        .some((later) => later.kind === 'value' && `${key}/`.startsWith(`${later.key}/`)),
  )
}
