import { replay, type RunEvent } from '@toolglot/agent'
import type { JournalRecord } from '@toolglot/agent/journal'
import { newRun } from '@toolglot/workspace/internal'
import type { Fork } from '../run/fork.ts'
import { createRunView } from '../show/run/run-view.ts'
import type { Session } from './session.ts'

/** Makes the next prompt start a copy of a run. Returns the message that it replaces, if there is one, as it was typed. */
export async function switchToFork(session: Session, fork: Fork): Promise<string | undefined> {
  const { setup, typed } = session
  const { run } = fork.source
  const last = eventsBefore(run, await setup.journal.read(run), fork.turn).at(-1)
  session.id = newRun()
  session.fork = fork
  session.isRecorded = false
  session.isUnfinished = true
  return last?.type === 'prompt' ? (typed.get(last.content) ?? last.content) : undefined
}

/** Shows what a fork copies, without the message that the next prompt replaces. */
export async function showCopied({ setup, terminal }: Session, fork: Fork): Promise<void> {
  const { output, env } = terminal
  const { run } = fork.source
  const view = createRunView({ text: output, notes: output, env, isReplay: true })
  const events = eventsBefore(run, await setup.journal.read(run), fork.turn)
  while (events.at(-1)?.type === 'prompt') events.pop()
  for (const event of events) view.show(event)
  view.endLine()
}

/** The turn that the last message of a run came before; undefined if it has none. */
export function turnOfLastMessage(
  run: string,
  records: readonly JournalRecord[],
): number | undefined {
  let turn = 0
  let found: number | undefined
  for (const event of replay(run, records)) {
    if (event.type === 'prompt') found = turn
    if (event.type === 'turn-end' && event.turn >= 0) turn = event.turn + 1
  }
  return found
}

/** The events before a turn. A run may have ended, and be resumed, before it. */
function eventsBefore(run: string, records: readonly JournalRecord[], turn: number): RunEvent[] {
  const events = [...replay(run, records)]
  const at = events.findIndex((event) => event.type === 'turn-start' && event.turn === turn)
  return at < 0 ? events : events.slice(0, at)
}
