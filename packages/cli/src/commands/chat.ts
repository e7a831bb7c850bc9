import { join } from 'node:path'
import type { Command } from 'commander'
import { terminalPerson } from '../chat/terminal-person.ts'
import { pipedPerson } from '../chat/piped-person.ts'
import { chat } from '../chat/chat.ts'
import { openHistory } from '../chat/history.ts'
import type { Session } from '../chat/session.ts'
import { showCopied, switchToFork } from '../chat/switch-to-fork.ts'
import { switchToRun } from '../chat/switch-to-run.ts'
import { completeSlash } from '../chat/slash/index.ts'
import { workspaceForTools } from '../open-workspace.ts'
import { createPromptQueue } from '../person/prompt-queue.ts'
import { runToResume } from '../input/find-run.ts'
import { prepareRun, type RunSetup } from '@toolglot/workspace'
import { newRun, stateFolder, visibleLine } from '@toolglot/workspace/internal'
import { chatExamples, showExamples } from '../show/examples.ts'
import { createRunView } from '../show/run/run-view.ts'
import { showChosenModel } from '../show/run/chosen-model.ts'
import { createStopSignal } from '../stop-signal.ts'
import { warnStrayRejections } from '../stray-rejections.ts'
import { chooseModel } from '../run/choose-model.ts'
import { findFork, prepareFiles } from '../run/fork.ts'
import { colorsOf, columnsOf, type Terminal } from '../terminal.ts'
import { warn } from '../warn.ts'
import { addRunFlags, checkForkFlags, type RunFlags } from './run-flags.ts'

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
    const setup = await prepareRun(workspace, {
      system: flags.system,
      only: flags.tools === false ? [] : flags.tools,
      signal: stop.signal,
    })
    try {
      await converse(flags, setup, stop.signal, terminal)
    } finally {
      stop.forget()
      await setup.close()
    }
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
