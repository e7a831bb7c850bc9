import { replay } from '@toolglot/agent'
import type { RunSummary } from '@toolglot/agent/journal'
import { UserError } from '@toolglot/workspace'
import { createRunView } from '../show/run/run-view.ts'
import type { Session } from './session.ts'

/** Shows an earlier run and makes it the current one, so that later prompts continue it. */
export async function switchToRun(
  session: Session,
  { run, imported }: Pick<RunSummary, 'run' | 'imported'>,
): Promise<void> {
  const { setup, terminal } = session
  if (imported) {
    throw new UserError('data', {
      expected: 'a run that was recorded on this machine',
      got: `${run}, which was imported`,
      advice: `show it with toolglot replay ${run}`,
    })
  }
  const { output, env } = terminal
  const records = await setup.journal.read(run)
  const view = createRunView({ text: output, notes: output, env, isReplay: true })
  session.id = run
  session.isRecorded = true
  session.fork = undefined
  session.isUnfinished = true
  for (const event of replay(run, records)) {
    view.show(event)
    if (event.type === 'run-end') session.isUnfinished = event.reason !== 'answer'
    else if (event.type !== 'run-start') session.isUnfinished = true
    if (event.type === 'run-end') session.usage = event.usage
    if (event.type === 'turn-end' && event.turn >= 0)
      session.usedTokens = event.usage.input + event.usage.output
  }
  view.endLine()
}
