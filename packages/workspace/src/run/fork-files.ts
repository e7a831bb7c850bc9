import {
  callsSince,
  type ForkSource,
  type JournalRecord,
  type RunSummary,
} from '@toolglot/agent/journal'
import type { Checkpoints } from '@toolglot/tools'
import type { RunSetup } from '../prepare-run.ts'
import { UserError } from '../user-error.ts'

/** The setting in which the files of a fork are restored. */
export type ForkSetup = Pick<RunSetup, 'journal' | 'checkpoints' | 'fileSystem'>

/** A run that is copied up to a turn. */
interface Fork {
  readonly source: Pick<RunSummary, 'run' | 'folder' | 'forkOf'>
  /** The first turn that is not copied. */
  readonly turn: number
}

/** The files that `restoreFiles` restored, and those that it left. */
interface RestoredFiles {
  /** The result for each file that Write or Edit changed in the turns that the fork leaves out. */
  readonly files: Awaited<ReturnType<Checkpoints['undo']>>['files']
  /** The source is itself a fork: what its own source changed before this turn stays. */
  readonly keptChangesOf: ForkSource | undefined
}

/** The files that Write and Edit changed in the turns that a fork leaves out. */
export async function filesChangedSince(
  { journal, checkpoints }: ForkSetup,
  { source: { run }, turn }: Fork,
): Promise<readonly string[]> {
  const calls = callsLeftOut(await journal.read(run), turn)
  return pathsOf(await checkpoints.changes(run), calls)
}

/**
 * Undoes what Write and Edit changed in the turns that a fork leaves out. Throws a UserError, before anything is changed, if
 * the run is not one of this folder.
 */
export async function restoreFiles(
  { journal, checkpoints, fileSystem }: ForkSetup,
  { source, turn }: Fork,
): Promise<RestoredFiles> {
  const { run, folder, forkOf } = source
  const here = fileSystem.roots[0] ?? fileSystem.cwd
  if (folder !== here) {
    throw new UserError('data', {
      expected: `a run in ${here}, to restore its files`,
      got: folder === undefined ? 'one in an unknown folder' : `one in ${folder}`,
      advice: 'open that folder, or leave the files as they are; nothing was changed',
    })
  }
  const changes = await checkpoints.changes(run)
  const calls = callsLeftOut(await journal.read(run), turn)
  const { files } =
    pathsOf(changes, calls).length > 0 ? await checkpoints.undo(run, { calls }) : { files: [] }
  return {
    files,
    keptChangesOf: forkOf && turn < forkOf.turn ? forkOf : undefined,
  }
}

type Changes = Awaited<ReturnType<Checkpoints['changes']>>

/** The files that these calls changed. */
function pathsOf(changes: Changes, calls: ReadonlySet<string>): readonly string[] {
  const own = changes.filter(({ call }) => calls.has(call))
  return [...new Set(own.map(({ path }) => path))]
}

function callsLeftOut(records: readonly JournalRecord[], turn: number): ReadonlySet<string> {
  return new Set(callsSince(records, turn))
}
