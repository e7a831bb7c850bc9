import type { PruneLimits } from '@toolglot/agent/journal'
import { startUpkeep, type Upkeep } from '@toolglot/agent/journal/internal'
import type { Database, Query } from './database.ts'
import { busyError, IS_HELD, releaseDeadHolders } from './lease.ts'
import { IS_WAITING } from './queries.ts'
import { forgetExpired } from './shared-values.ts'

/**
 * Deletes expired values in the background, and old runs at most once a day among all processes. Failures are only reported.
 */
export function startRetention(
  database: Database,
  limits: PruneLimits | undefined,
  warn: (message: string) => void,
): Upkeep {
  return startUpkeep(
    async (signal) => {
      await forgetExpired(database)
      if (limits) await pruneIfDue(database, limits, signal)
    },
    ({ message }) =>
      warn(`Old data in the journal at ${database.place} could not be deleted: ${message}`),
  )
}

/** Deletes old runs, unless another process has done so today. */
export async function pruneIfDue(
  database: Database,
  limits: PruneLimits,
  signal: AbortSignal,
): Promise<void> {
  // A time in the future is due to a wrong clock.
  const [claimed] = await database.query(
    `UPDATE @upkeep SET pruned = now()
     WHERE pruned IS NULL OR pruned > now() OR pruned < now() - interval '1 day' RETURNING version`,
  )
  // If not claimed, another process is pruning.
  if (!claimed) return
  await releaseDeadHolders(database)
  await pruneRuns(database.query, limits, signal)
  if (signal.aborted) await database.query('UPDATE @upkeep SET pruned = NULL')
}

/** Deletes a run. False if it does not exist. */
export async function removeRun(query: Query, run: string): Promise<boolean> {
  const [removed] = await query(
    `DELETE FROM @runs AS r WHERE run = $1 AND NOT ${IS_HELD} RETURNING run`,
    [run],
  )
  if (removed) return true
  const [row] = await query(
    'SELECT h.name FROM @runs AS r LEFT JOIN @holders AS h USING (holder) WHERE run = $1',
    [run],
  )
  if (row) throw busyError(run, row['name'])
  return false
}

/**
 * Deletes the oldest runs in small batches, so that other processes can record in between. Returns
 * the number of deleted runs.
 */
export async function pruneRuns(
  query: Query,
  { runs, days }: PruneLimits,
  signal?: AbortSignal,
): Promise<number> {
  const conditions: string[] = []
  const values: unknown[] = []
  if (days !== undefined) {
    values.push(Math.floor(Date.now() - days * 86_400_000))
    conditions.push(`r.last < $${values.length}`)
  }
  const [last] =
    runs === undefined
      ? []
      : await query(
          'SELECT last, number FROM @runs ORDER BY last DESC, number DESC OFFSET $1 LIMIT 1',
          [runs],
        )
  if (last) {
    values.push(last['last'], last['number'])
    conditions.push(`(r.last, r.number) <= ($${values.length - 1}, $${values.length})`)
  }
  if (conditions.length === 0) return 0
  let removed = 0
  while (!signal?.aborted) {
    const rows = await query(
      `DELETE FROM @runs WHERE run IN (SELECT run FROM @runs AS r
         WHERE (${conditions.join(' OR ')}) AND name IS NULL AND NOT ${IS_HELD} AND NOT ${IS_WAITING}
         ORDER BY last, number LIMIT ${SLICE} FOR UPDATE SKIP LOCKED) RETURNING run`,
      values,
    )
    removed += rows.length
    if (rows.length < SLICE) break
  }
  return removed
}

const SLICE = 50
