import type { PruneLimits } from '@toolglot/agent/journal'
import { busyError } from './hold.ts'
import type { Query } from './database.ts'
import { IS_HELD } from './lease.ts'
import { IS_WAITING } from './queries.ts'

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

/** Deletes the oldest runs a few at a time, so that others can record in between. Returns how many. */
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
