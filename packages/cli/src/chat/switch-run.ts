// Folder: The chat: line editor, slash commands, history.
import { replay, type RunEvent } from '@toolglot/agent'
import type { RunSummary, JournalRecord } from '@toolglot/agent/journal'
import { UserError, filesChangedSince } from '@toolglot/workspace'
import { createRunView } from '../show/run/run-view.ts'
import type { Session } from './session.ts'
import { newRun, isYes } from '@toolglot/workspace/internal'
import { type Fork, findFork, restoredFiles } from '../run/fork.ts'

/** Shows an earlier run and makes it the current one, so that later prompts continue it. */
export async function switchToRun(
  session: Session,
  { run, imported }: Pick<RunSummary, 'run' | 'imported'>,
): Promise<void> {
  const { setup, terminal } = session
  if (imported) {
    throw new UserError(
      'data',
      `${run} was imported, so it cannot be continued. Show it with: toolglot replay ${run}`,
    )
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

/**
 * Makes the next prompt start a copy of a run. Returns the message that it replaces, as typed, if
 * there is one.
 */
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

/** Shows the turns that a fork copies, without the message that the next prompt replaces. */
export async function showCopied({ setup, terminal }: Session, fork: Fork): Promise<void> {
  const { output, env } = terminal
  const { run } = fork.source
  const view = createRunView({ text: output, notes: output, env, isReplay: true })
  const events = eventsBefore(run, await setup.journal.read(run), fork.turn)
  while (events.at(-1)?.type === 'prompt') events.pop()
  for (const event of events) view.show(event)
  view.endLine()
}

/** The turn after the last message of a run; undefined if it has no message. */
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

/** The events before a turn. The run may have ended and been resumed before that turn. */
function eventsBefore(run: string, records: readonly JournalRecord[], turn: number): RunEvent[] {
  const events = [...replay(run, records)]
  const at = events.findIndex((event) => event.type === 'turn-start' && event.turn === turn)
  return at < 0 ? events : events.slice(0, at)
}

/**
 * The run of a conversation or, before the first prompt of a fork, the run that it copies.
 * Undefined if there is none.
 */
export function recordedRun({ id, isRecorded, fork }: Session): string | undefined {
  return isRecorded ? id : fork?.source.run
}

/**
 * Continues a conversation in a copy, up to a turn. If files were changed since, asks if they
 * should be restored. Returns the message that the next one replaces, if there is one.
 */
export async function forkConversation(
  session: Session,
  run: string,
  turn: number | undefined,
): Promise<string | undefined> {
  const { setup, person, signal } = session
  const fork = await findFork(setup, run, turn)
  const { length: count } = await filesChangedSince(setup, fork)
  const question = `Undo its later changes in ${count === 1 ? 'a file' : `${count} files`}? [y/N] `
  const isWanted = count > 0 && isYes(await person.keyboard?.ask(question, signal))
  if (count > 0)
    person.show(isWanted ? await restoredFiles(setup, fork) : 'The files were not changed.\n')
  const replaced = await switchToFork(session, fork)
  const place = turn === undefined ? '' : `, before turn ${turn}`
  person.show(`Your next message continues a copy of ${run}${place}.\n`)
  return replaced
}
