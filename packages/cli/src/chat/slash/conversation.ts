import { findRun } from '../../input/find-run.ts'
import { pickRun } from '../../person/pick.ts'
import { showRuns } from '../../show/runs.ts'
import { columnsOf } from '../../terminal.ts'
import { switchToRun, forkConversation, recordedRun, turnOfLastMessage } from '../switch-run.ts'
import { turn } from '../turn.ts'
import type { SlashCommand } from './slash-command.ts'
import { UserError } from '@toolglot/workspace'
import { quote } from '@toolglot/workspace/internal'
import { showUndone } from '../../show/undone.ts'

export const resume: SlashCommand = {
  name: 'resume',
  argument: '[RUN]',
  about: 'resume this run where it stopped, or another one: its id, its name, or last',
  async run(session, name) {
    const { setup, person, colors, terminal } = session
    if (name !== '') return switchToRun(session, await findRun(setup.journal, name))
    if (session.isUnfinished && (session.isRecorded || session.fork)) {
      const { leaves } = await turn(session, undefined)
      return leaves ? 'leave' : undefined
    }
    const { keyboard } = person
    if (keyboard) {
      const run = await pickRun(setup.journal, { keyboard, signal: session.signal })
      return run && switchToRun(session, run)
    }
    const runs = await setup.journal.runs({ limit: 10 })
    person.show(
      showRuns(runs, {
        colors,
        columns: columnsOf(terminal.output),
        now: Date.now(),
        cwd: setup.fileSystem.cwd,
      }),
    )
    if (runs.length > 0) person.show(colors.dim('Resume one of them with /resume RUN.\n'))
    return undefined
  },
}

export const edit: SlashCommand = {
  name: 'edit',
  argument: '[TEXT]',
  about: 'change your last message and send it again, in a copy of this conversation',
  async run(session, text) {
    const { person, setup } = session
    const run = recordedRun(session)
    const records = run === undefined ? [] : await setup.journal.read(run)
    const last = run === undefined ? undefined : turnOfLastMessage(run, records)
    if (run === undefined || last === undefined)
      return person.show('There is no message to edit yet.\n')
    const replaced = await forkConversation(session, run, last)
    if (text === '') return person.suggest(replaced ?? '')
    const { leaves } = await turn(session, text)
    return leaves ? 'leave' : undefined
  },
}

export const fork: SlashCommand = {
  name: 'fork',
  argument: '[TURN]',
  about:
    'continue in a copy of this conversation, or of the turns before TURN (see toolglot replay)',
  async run(session, argument) {
    const run = recordedRun(session)
    if (run === undefined) return session.person.show('There is nothing to copy yet.\n')
    const replaced = await forkConversation(session, run, turnOf(argument))
    session.person.suggest(replaced ?? '')
  },
}

function turnOf(text: string): number | undefined {
  if (text === '') return undefined
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new UserError(
    'usage',
    `${quote(text)} is not the number of a turn. See the turns with: toolglot replay`,
  )
}

export const undo: SlashCommand = {
  name: 'undo',
  about: 'undo the file changes of this conversation',
  async run({ setup: { checkpoints }, id, person }) {
    if ((await checkpoints.changes(id)).length === 0)
      return person.show('Nothing to undo: Write and Edit changed no files.\n')
    const { files } = await checkpoints.undo(id)
    person.show(files.map(showUndone).join(''))
  },
}
