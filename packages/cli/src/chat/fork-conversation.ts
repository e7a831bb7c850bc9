import { filesChangedSince } from '@toolglot/workspace'
import { isYes } from '@toolglot/workspace/internal'
import { findFork, restoredFiles } from '../run/fork.ts'
import type { Session } from './session.ts'
import { switchToFork } from './switch-to-fork.ts'

/** The run of a conversation; before the first prompt of a fork, the one that it copies. Undefined if there is none. */
export function recordedRun({ id, isRecorded, fork }: Session): string | undefined {
  return isRecorded ? id : fork?.source.run
}

/**
 * Continues a conversation in a copy, up to a turn. If files were changed since, asks whether to restore them. Returns the
 * message that the next one replaces, if there is one.
 */
export async function forkConversation(
  session: Session,
  run: string,
  turn: number | undefined,
): Promise<string | undefined> {
  const { setup, person, signal } = session
  const fork = await findFork(setup, run, turn)
  const { length: count } = await filesChangedSince(setup, fork)
  const question = `Undo what it changed in ${count === 1 ? 'a file' : `${count} files`} since? [y/N] `
  const isWanted = count > 0 && isYes(await person.keyboard?.ask(question, signal))
  if (count > 0)
    person.show(isWanted ? await restoredFiles(setup, fork) : 'Files stay as they are.\n')
  const replaced = await switchToFork(session, fork)
  const place = turn === undefined ? '' : `, before turn ${turn}`
  person.show(`Your next message goes to a copy of ${run}${place}.\n`)
  return replaced
}
