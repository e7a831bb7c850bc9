import { replay } from '@toolglot/agent'
import type { RunSummary } from '@toolglot/agent/journal'
import { CommandError } from '../command-error.ts'
import { createRunView } from '../show/run/run-view.ts'
import type { Session } from './session.ts'

/** Shows an earlier run and makes it the current one, so that later prompts continue it. */
export async function showBefore(
  session: Session,
  { run, imported }: Pick<RunSummary, 'run' | 'imported'>,
): Promise<void> {
  const { setup, terminal } = session
  if (imported) {
    throw new CommandError('data', {
      expected: 'a run that was recorded on this machine',
      got: `${run}, which was imported`,
      advice: `show it with toolglot replay ${run}`,
    })
  }
  const { output, env } = terminal
  const records = await setup.journal.read(run)
  const view = createRunView({ text: output, notes: output, env, isReplay: true })
  session.id = run
  session.isBegun = true
  session.isOpen = true
  for (const event of replay(run, records)) {
    view.show(event)
    if (event.type === 'run-end') session.isOpen = event.reason !== 'answer'
    else if (event.type !== 'run-start') session.isOpen = true
    if (event.type === 'run-end') session.usage = event.usage
  }
  view.rest()
}
