import { findRun } from '../../input/find-run.ts'
import { pickRun } from '../../person/pick-run.ts'
import { showRuns } from '../../show/runs.ts'
import { columnsOf } from '../../terminal.ts'
import { switchToRun } from '../switch-to-run.ts'
import { turn } from '../turn.ts'
import type { SlashCommand } from './slash-command.ts'

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
