import type { PruneLimits } from '../../journal/journal.ts'
import type { Connection } from './connect.ts'
import type { Row } from './database-thread.ts'
import { returnSpace } from './free-space.ts'
import { refusalOf } from './journal-error.ts'
import { pruneRun, selectPrunable } from './statements.ts'

/**
 * Deletes the oldest runs and returns their space to the file system. It does so in slices, so that others can record in
 * between, and stops after a slice if the signal aborts.
 */
export async function prune(
  { thread, releaseDeadHolders }: Connection,
  { runs = Number.MAX_SAFE_INTEGER, days = Infinity }: PruneLimits,
  { signal, convert = true }: { signal?: AbortSignal; convert?: boolean } = {},
): Promise<number> {
  await releaseDeadHolders()
  const oldest = days === Infinity ? 0 : Date.now() - days * 86_400_000
  const prunable = await thread.all(selectPrunable({ runs, oldest }))
  let removed = 0
  for (const slice of slicesOf(prunable)) {
    if (signal?.aborted) return removed
    // Committed in one tick, so in one transaction.
    const refusals = await Promise.all(
      slice.map(({ run, records }) =>
        refusalOf(thread.commit([pruneRun(String(run), Number(records))])),
      ),
    )
    removed += refusals.filter((refusal) => refusal === undefined).length
  }
  if (removed > 0) await returnSpace(thread, { convert, signal })
  return removed
}

/** Deleted data is overwritten, so that it takes as long as writing it. */
const SLICE_RECORDS = 200

function slicesOf(runs: readonly Row[]): readonly (readonly Row[])[] {
  const slices: Row[][] = []
  let left = 0
  for (const run of runs) {
    if (left <= 0) {
      slices.push([])
      left = SLICE_RECORDS
    }
    left -= Number(run['records']) + 1
    slices.at(-1)?.push(run)
  }
  return slices
}
