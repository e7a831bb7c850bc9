import { join } from 'node:path'
import type { Command } from 'commander'
import { atTerminal } from '../chat/at-terminal.ts'
import { byLines } from '../chat/by-lines.ts'
import { chat } from '../chat/chat.ts'
import { openHistory } from '../chat/history.ts'
import type { Session } from '../chat/session.ts'
import { showBefore } from '../chat/show-before.ts'
import { completeSlash } from '../chat/slash/index.ts'
import { createPromptQueue } from '../person/prompt-queue.ts'
import { runNamed } from '../read/run-named.ts'
import { findSpeaker } from '../read/speaker.ts'
import { stateFolder } from '../read/state-folder.ts'
import { openWorkplace } from '../read/workplace.ts'
import { chatExamples, showExamples } from '../show/examples.ts'
import { createRunView } from '../show/run/run-view.ts'
import { showSpeaker } from '../show/run/speaker.ts'
import { visibleLine } from '../show/visible.ts'
import { stopped } from '../stopped.ts'
import { tellStrayRejections } from '../stray-rejections.ts'
import { newRun } from '../talk/new-run.ts'
import { colorsOf, columnsOf, type Terminal } from '../terminal.ts'
import { warn } from '../warn.ts'
import { addRunFlags, type RunFlags } from './run-flags.ts'

/** `toolglot chat`: a conversation in the terminal. */
export function addChat(program: Command, terminal: Terminal): void {
  const { bold } = colorsOf(terminal.output, terminal.env)
  const command = program
    .command('chat')
    .description('chat with a model that has tools (the default command)')
  addRunFlags(command)
    .showHelpAfterError('Help: toolglot chat --help')
    .addHelpText('after', () => `\n${showExamples(bold('Examples:'), chatExamples)}`)
    .action((flags: RunFlags) => start(flags, terminal))
}

async function start(flags: RunFlags, terminal: Terminal): Promise<void> {
  const { output, errors, env } = terminal
  const stop = stopped()
  const stray = tellStrayRejections(terminal)
  const { signal } = stop
  const workplace = await openWorkplace(flags, terminal)
  try {
    for (const warning of workplace.warnings) warn(visibleLine(warning), terminal)
    const { journal, fileSystem } = workplace
    const before = flags.resume === undefined ? undefined : await runNamed(journal, flags.resume)
    const speaker = await findSpeaker({ ...flags, cwd: fileSystem.cwd, signal }, terminal)
    const history = openHistory(join(stateFolder(terminal), 'chat-history'))
    const person =
      atTerminal(terminal, { history, complete: completeSlash, signal }) ??
      byLines(terminal, { signal })
    const isScreen = person.keyboard !== undefined
    const colors = colorsOf(isScreen ? output : errors, env)
    const session: Session = {
      terminal,
      flags,
      workplace,
      person,
      view: createRunView({
        text: isScreen ? output : undefined,
        notes: isScreen ? output : errors,
        env,
      }),
      promptQueue: createPromptQueue(),
      colors,
      signal,
      speaker,
      id: newRun(),
      isBegun: false,
      isOpen: false,
      untrusted: workplace.untrusted,
      allowed: [],
      hasChanged: false,
      usage: { input: 0, output: 0 },
    }
    try {
      person.show(showSpeaker(speaker, colors, columnsOf(output)))
      if (isScreen)
        person.show(colors.dim('Type /help for help. Esc stops the model, Ctrl-D leaves.\n\n'))
      if (before) {
        await showBefore(session, before)
        person.show('\n')
      }
      await chat(session)
    } finally {
      person.close()
    }
  } finally {
    stop.forget()
    await workplace.close()
    stray.forget()
  }
}
