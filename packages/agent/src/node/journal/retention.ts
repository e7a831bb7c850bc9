import type { PruneLimits } from '../../journal/journal.ts'
import { startUpkeep, type Upkeep } from '../../journal/upkeep.ts'
import type { Connection } from './connect.ts'
import { type DatabaseThread, type Row, SqliteError } from './database-thread.ts'
import { refusalOf } from './journal-error.ts'
import { pruneRun, selectPrunable } from './statements.ts'

/**
 * Prunes a journal in the background, at most once a day across all processes. Failures are only
 * reported.
 */
export function startRetention(
  connection: Connection,
  limits: PruneLimits,
  warn: (message: string) => void,
): Upkeep {
  return startUpkeep(
    (signal) => pruneIfDue(connection, limits, signal),
    ({ message }) =>
      warn(`Old runs in the journal ${connection.file} could not be deleted: ${message}`),
  )
}

const DAY = 86_400_000

/**
 * Prunes a journal unless a process has already done so today. If it is aborted, another process
 * may finish the job.
 */
export async function pruneIfDue(
  connection: Connection,
  limits: PruneLimits,
  signal: AbortSignal,
): Promise<void> {
  const { thread, releaseDeadHolders } = connection
  const [row] = await thread.all({ sql: 'SELECT pruned FROM upkeep' })
  const [before, now] = [Number(row?.['pruned']), Date.now()]
  // A time in the future means that a clock was wrong.
  if (before <= now && now - before < DAY) return
  const claim = (from: number, to: number): Promise<string | undefined> => {
    const sql = 'UPDATE upkeep SET pruned = :to WHERE pruned = :from'
    return refusalOf(thread.commit([{ sql, values: { from, to }, mustChange: true }]))
  }
  // Another process is pruning.
  if ((await claim(before, now)) !== undefined) return
  await releaseDeadHolders()
  await prune(connection, limits, signal)
  if (signal.aborted) await claim(now, before)
}

/**
 * Deletes the oldest runs and returns their space to the file system. Works in slices, so that
 * other processes can record in between, and stops after a slice if the signal is aborted.
 */
export async function prune(
  { thread, releaseDeadHolders }: Connection,
  { runs = Number.MAX_SAFE_INTEGER, days = Infinity }: PruneLimits,
  signal?: AbortSignal,
): Promise<number> {
  await releaseDeadHolders()
  const oldest = days === Infinity ? 0 : Date.now() - days * 86_400_000
  const prunable = await thread.all(selectPrunable({ runs, oldest }))
  let removed = 0
  for (const slice of slicesOf(prunable)) {
    if (signal?.aborted) return removed
    // All are committed in the same tick, and thus in one transaction.
    const refusals = await Promise.all(
      slice.map(({ run, records }) =>
        refusalOf(thread.commit([pruneRun(String(run), Number(records))])),
      ),
    )
    removed += refusals.filter((refusal) => refusal === undefined).length
  }
  if (removed > 0) await returnSpace(thread, signal)
  return removed
}

/** A small number, because deleted data is overwritten, which takes as long as writing it. */
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

/**
 * Returns the space of deleted runs to the file system. Works in slices, so that other processes
 * can record in between. If it fails, later runs use the space, or it is returned next time.
 */
export async function returnSpace(thread: DatabaseThread, signal?: AbortSignal): Promise<void> {
  try {
    const [row] = await thread.all({ sql: 'PRAGMA freelist_count' })
    const free = Number(row?.['freelist_count'])
    if (free === 0) return
    for (let left = free; left > 0; left -= SLICE_PAGES) {
      if (signal?.aborted) return
      await thread.execute(`PRAGMA incremental_vacuum(${SLICE_PAGES})`)
    }
    // The file shrinks when the log is copied into it. If other processes are using the journal,
    // that happens later.
    await thread.execute('PRAGMA wal_checkpoint(TRUNCATE)', 500)
  } catch (error) {
    if (!(error instanceof SqliteError)) throw error
  }
}

const SLICE_PAGES = 256
