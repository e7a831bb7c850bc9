import {
  callsSince,
  type ForkSource,
  type JournalRecord,
  type RunSummary,
} from '@toolglot/agent/journal'
import type { Checkpoints } from '@toolglot/tools'
import type { RunSetup } from '../prepare-run.ts'
import { UserError } from '../user-error.ts'

/** The parts of a run setup needed to restore the files of a fork. */
export type ForkSetup = Pick<RunSetup, 'journal' | 'checkpoints' | 'fileSystem'>

/** A run copied up to a certain turn. */
interface Fork {
  readonly source: Pick<RunSummary, 'run' | 'folder' | 'forkOf'>
  /** The first turn that is not copied. */
  readonly turn: number
}

/** The files restored by `restoreFiles`, and those it left unchanged. */
interface RestoredFiles {
  /** The result for each file changed by Write or Edit in the turns that the fork omits. */
  readonly files: Awaited<ReturnType<Checkpoints['undo']>>['files']
  /** If the source is itself a fork, changes made by its own source before this turn are kept. */
  readonly keptChangesOf: ForkSource | undefined
}

/** The files changed by Write and Edit in the turns that a fork omits. */
export async function filesChangedSince(
  { journal, checkpoints }: ForkSetup,
  { source: { run }, turn }: Fork,
): Promise<readonly string[]> {
  const calls = callsLeftOut(await journal.read(run), turn)
  return pathsOf(await checkpoints.changes(run), calls)
}

/**
 * Undoes the changes made by Write and Edit in the turns that a fork omits. If the run does not
 * belong to this folder, throws a UserError before any change.
 */
export async function restoreFiles(
  { journal, checkpoints, fileSystem }: ForkSetup,
  { source, turn }: Fork,
): Promise<RestoredFiles> {
  const { run, folder, forkOf } = source
  const here = fileSystem.roots[0] ?? fileSystem.cwd
  if (folder !== here) {
    const where = folder === undefined ? 'in an unknown folder' : `in ${folder}`
    throw new UserError(
      'data',
      `The run was ${where}, not in ${here}, so its files cannot be restored. Open that folder, or keep the files unchanged`,
    )
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

/** The files changed by these calls. */
function pathsOf(changes: Changes, calls: ReadonlySet<string>): readonly string[] {
  const own = changes.filter(({ call }) => calls.has(call))
  return [...new Set(own.map(({ path }) => path))]
}

function callsLeftOut(records: readonly JournalRecord[], turn: number): ReadonlySet<string> {
  return new Set(callsSince(records, turn))
}
