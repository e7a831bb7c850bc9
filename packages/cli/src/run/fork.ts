import type { RunSummary } from '@toolglot/agent/journal'
import { filesChangedSince, restoreFiles, type RunSetup, UserError } from '@toolglot/workspace'
import { findRun } from '../input/find-run.ts'
import { showUndone } from '../show/undone.ts'
import { shellWord } from '../show/text/shell-word.ts'

/** A run to copy, up to a turn. */
export interface Fork {
  readonly source: RunSummary
  /** The first turn that is not copied. */
  readonly turn: number
}

/** Finds the run to copy. Without a turn, it is copied completely. */
export async function findFork(
  { journal }: Pick<RunSetup, 'journal'>,
  text: string,
  turn: number | undefined,
): Promise<Fork> {
  const source = await findRun(journal, text)
  const { run, turns, imported } = source
  if (imported) {
    throw new UserError(
      'data',
      `${run} was imported, so it cannot be copied. Show it with: toolglot replay ${shellWord(run)}`,
    )
  }
  if (turn !== undefined && turn > turns) {
    throw new UserError(
      'data',
      `No turn ${turn}: choose ${turns === 0 ? '0' : `from 0 to ${turns}`}. See the turns with: toolglot replay ${shellWord(run)}`,
    )
  }
  return { source, turn: turn ?? turns }
}

/**
 * Restores the files that were changed in the turns that a fork omits, or reports that they stay
 * unchanged.
 */
export async function prepareFiles(
  fork: Fork,
  { restoreFiles: isWanted }: { readonly restoreFiles?: true },
  setup: ForkSetup,
): Promise<string> {
  if (isWanted) return restoredFiles(setup, fork)
  const { length: count } = await filesChangedSince(setup, fork)
  if (count === 0) return ''
  const files = count === 1 ? '1 was' : `${count} were`
  return `The files were left as they are. ${files} changed since; to undo that, add --restore-files.\n`
}

/**
 * Undoes the changes by Write and Edit in the turns that a fork omits. Returns a report for the
 * user.
 */
export async function restoredFiles(setup: ForkSetup, fork: Fork): Promise<string> {
  const {
    source: { run },
    turn,
  } = fork
  const { files, keptChangesOf } = await restoreFiles(setup, fork)
  const since = `in turn ${turn} or later`
  const notes: string[] = []
  if (keptChangesOf)
    notes.push(
      `The changes of ${keptChangesOf.run} before its turn ${keptChangesOf.turn} were kept.\n`,
    )
  if (files.length === 0)
    return `Nothing to restore: Write and Edit changed no files ${since}.\n${notes.join('')}`
  return `Undone: changes of ${run} ${since}.\n${files.map(showUndone).join('')}${notes.join('')}`
}

/** The dependencies of restoring files. */
export type ForkSetup = Pick<RunSetup, 'journal' | 'checkpoints' | 'fileSystem'>
