import { join } from 'node:path'
import type { Command } from 'commander'
import { terminalPerson } from '../chat/terminal-person.ts'
import { openHistory } from '../chat/history.ts'
import type { Session, Person } from '../chat/session.ts'
import { showCopied, switchToFork, switchToRun } from '../chat/switch-run.ts'
import { completeSlash, runSlash } from '../chat/slash/index.ts'
import { workspaceForTools } from '../open-workspace.ts'
import { createPromptQueue } from '../person/keyboard.ts'
import { runToResume } from '../input/find-run.ts'
import { type RunSetup, describeProtocol, UserError } from '@toolglot/workspace'
import { newRun, stateFolder, visibleLine } from '@toolglot/workspace/internal'
import { chatExamples, showExamples } from '../show/examples.ts'
import { createRunView } from '../show/run/run-view.ts'
import { showChosenModel } from '../show/run/chosen-model.ts'
import { createStopSignal, warnStrayRejections } from '../process-events.ts'
import { chooseModel } from '../run/choose-model.ts'
import { findFork, prepareFiles } from '../run/fork.ts'
import { withSetup } from '../run/run-options.ts'
import { colorsOf, columnsOf, type Terminal, warn } from '../terminal.ts'
import { addRunFlags, checkForkFlags, type RunFlags } from './run-flags.ts'
import { Exit } from '../exit.ts'
import { showContext, showTokens } from '../show/tokens.ts'
import { resumeAgain } from '../show/resume-command.ts'
import { turn } from '../chat/turn.ts'
import { createInterface } from 'node:readline'
import { Transform, type TransformCallback } from 'node:stream'
import { PROMPT_LIMIT } from '../input/source.ts'

/** Passes lines on until one is too long: readline would keep a whole line in memory. */
class LineLimit extends Transform {
  isExceeded = false
  #length = 0
  #isOver = false

  override _transform(chunk: Buffer, _: unknown, done: TransformCallback): void {
    for (let from = 0, to = 0; to >= 0 && !this.isExceeded; from = to + 1) {
      to = chunk.indexOf(NEW_LINE, from)
      this.#length += (to < 0 ? chunk.length : to) - from
      this.isExceeded = this.#length > PROMPT_LIMIT.maxLength
      if (to >= 0) this.#length = 0
    }
    // Null marks the end. Further input is not read.
    if (this.#isOver) return done()
    this.#isOver = this.isExceeded
    done(null, this.isExceeded ? null : chunk)
  }
}

const NEW_LINE = 10

/** `toolglot chat`: a conversation in the terminal. */
export function addChat(program: Command, terminal: Terminal): void {
  const { bold } = colorsOf(terminal.output, terminal.env)
  const command = program
    .command('chat')
    .description('chat in the terminal with a model that has tools')
  addRunFlags(command)
    .showHelpAfterError('Help: toolglot chat --help')
    .addHelpText('after', () => `\n${showExamples(bold('Examples:'), chatExamples)}`)
    .action((flags: RunFlags) => start(flags, terminal))
}

async function start(flags: RunFlags, terminal: Terminal): Promise<void> {
  checkForkFlags(flags)
  const stop = createStopSignal()
  const stray = warnStrayRejections(terminal)
  try {
    const workspace = await workspaceForTools(flags, terminal)
    await withSetup({ workspace, flags, stop, terminal }, (setup) =>
      converse(flags, setup, stop.signal, terminal),
    )
  } finally {
    stop.forget()
    stray.forget()
  }
}

async function converse(
  flags: RunFlags,
  setup: RunSetup,
  signal: AbortSignal,
  terminal: Terminal,
): Promise<void> {
  const { output, errors, env } = terminal
  for (const warning of setup.warnings) warn(visibleLine(warning), terminal)
  const { journal, workspace } = setup
  const before = await runToResume(journal, flags.resume, terminal)
  const fork = flags.fork === undefined ? undefined : await findFork(setup, flags.fork, flags.turn)
  const chosen = await chooseModel({ ...flags, signal }, workspace, terminal)
  for (const note of setup.systemFor(chosen.model.contextTokens).notes)
    warn(visibleLine(note), terminal)
  const history = openHistory(join(stateFolder(workspace.directories), 'chat-history'))
  const person =
    terminalPerson(terminal, { history, complete: completeSlash, signal }) ??
    pipedPerson(terminal, { signal })
  const isScreen = person.keyboard !== undefined
  const colors = colorsOf(isScreen ? output : errors, env)
  const session: Session = {
    terminal,
    flags,
    setup,
    person,
    view: createRunView({
      text: isScreen ? output : undefined,
      notes: isScreen ? output : errors,
      env,
    }),
    promptQueue: createPromptQueue(),
    colors,
    signal,
    chosen,
    id: newRun(),
    isRecorded: false,
    isUnfinished: false,
    untrusted: setup.untrusted,
    fork: undefined,
    typed: new Map(),
    choseAnotherModel: false,
    usage: { input: 0, output: 0 },
    usedTokens: 0,
  }
  try {
    person.show(showChosenModel(chosen, colors, columnsOf(output), before ?? fork?.source))
    if (isScreen) {
      person.show(colors.dim('Type /help for help. Esc stops the model, Ctrl-D leaves.\n'))
      person.show(colors.dim('To use this model from other programs: toolglot serve\n\n'))
    }
    if (before) {
      await switchToRun(session, before)
      person.show('\n')
    }
    if (fork) {
      await showCopied(session, fork)
      person.show(await prepareFiles(fork, flags, setup))
      person.suggest((await switchToFork(session, fork)) ?? '')
      person.show('\n')
    }
    await chat(session)
  } finally {
    person.close()
  }
}

/** Takes prompts until the user leaves. Exits with 1 if a piped prompt got no answer. */
async function chat(session: Session): Promise<void> {
  const { person, colors } = session
  let failed = false
  for (;;) {
    const input = await person.next(statusOf(session))
    if (input === undefined) break
    if (input.startsWith('/') && !input.startsWith('//')) {
      if ((await runSlash(input, session)) === 'leave') break
      person.show('\n')
      continue
    }
    try {
      const { ended, leaves } = await turn(session, input.replace(/^\/\//, '/'))
      failed ||= ended.reason !== 'answer' || ended.nobodyToAsk || ended.otherProtocol
      person.show('\n')
      if (leaves) break
    } catch (error) {
      // No request was sent, because the message was invalid.
      if (!(error instanceof UserError)) throw error
      failed = true
      person.show(`${colors.red('error:')} ${visibleLine(error.message)}\n\n`)
    }
  }
  if (session.isRecorded)
    person.show(colors.dim(`To resume: ${resumeAgain('chat', session.id, session.flags)}\n`))
  if (failed && !person.keyboard) throw new Exit(1)
}

/**
 * The line below the prompt: the model and its call format, the context in use, tokens and cost so
 * far, and the folder.
 */
function statusOf({ chosen, usage, usedTokens, setup: { fileSystem } }: Session): string {
  const { contextTokens } = chosen.model
  const context = contextTokens === undefined ? [] : [showContext(usedTokens, contextTokens)]
  const tokens = usage.input + usage.output
  const used = tokens === 0 ? [] : [`${usage.estimated ? '~' : ''}${showTokens(tokens)} tokens`]
  const cost =
    usage.cost === undefined
      ? []
      : [`${usage.cost.toFixed(4)} ${chosen.model.price?.currency ?? ''}`]
  const parts = [
    chosen.model.name,
    describeProtocol(chosen).label,
    ...context,
    ...used,
    ...cost,
    fileSystem.cwd,
  ]
  return `  ${parts.map((part) => visibleLine(part.trim())).join(' · ')}`
}

/**
 * Piped prompts, one per line. A backslash at the end continues on the next line. There is no user
 * to ask.
 */
function pipedPerson({ input, errors }: Terminal, { signal }: { signal: AbortSignal }): Person {
  const limited = new LineLimit()
  const lines = createInterface({ input: input.pipe(limited), crlfDelay: Infinity })
  const next = lines[Symbol.asyncIterator]()
  return {
    suggest() {},
    async next() {
      let text = ''
      while (!signal.aborted) {
        const { value, done } = await next.next()
        if (limited.isExceeded || text.length > PROMPT_LIMIT.maxLength) throw PROMPT_LIMIT.tooLong()
        if (done) return text === '' ? undefined : text
        text += value
        if (text.endsWith('\\')) text = `${text.slice(0, -1)}\n`
        else if (text.trim() !== '') return text
        else text = ''
      }
      return undefined
    },
    keyboard: undefined,
    async during(work) {
      const value = await work(signal)
      return { value, leaves: signal.aborted }
    },
    show: (text) => void errors.write(text),
    close: () => lines.close(),
  }
}
