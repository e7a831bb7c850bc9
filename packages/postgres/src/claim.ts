import type { Connection } from './connect.ts'
import type { Row } from './database.ts'
import { IS_HELD, releaseDeadHolders } from './lease.ts'

/** Options for claiming runs. */
export interface ClaimOptions {
  /** The maximum number of runs. */
  readonly limit: number
  /**
   * The machine of this process. Runs whose tools are bound to another machine are skipped.
   * Default: runs bound to any machine are skipped.
   */
  readonly host?: string | undefined
  /**
   * Skip runs that were started with another version of the program and its tools. Default: claim
   * runs of all versions.
   */
  readonly version?: string | undefined
  /** Runs to skip, such as those that this process could not execute. */
  readonly except?: readonly string[] | undefined
  /**
   * The maximum number of runs per owner that all workers execute at the same time. Default: no
   * limit.
   */
  readonly maxPerOwner?: number | undefined
  /**
   * The maximum number of runs per model that all workers execute at the same time. Default: no
   * limit.
   */
  readonly maxPerModel?: number | undefined
}

/** Throws a TypeError for an invalid limit. */
export function checkClaim({ limit, maxPerOwner = 1, maxPerModel = 1 }: ClaimOptions): void {
  for (const [name, value] of Object.entries({ limit, maxPerOwner, maxPerModel }))
    if (!Number.isSafeInteger(value) || value < 1)
      throw new TypeError(`${name} must be a positive whole number, not ${String(value)}.`)
}

/** A run that was claimed. */
export interface ClaimedRun {
  readonly run: string
  readonly epoch: string
}

/** Makes this process the holder of due runs and returns them. */
export async function claimRuns(
  { database, lease, nowHolds, mayHold, counter }: Connection,
  { limit, host, version, except = [], maxPerOwner = MANY, maxPerModel = MANY }: ClaimOptions,
): Promise<readonly ClaimedRun[]> {
  await releaseDeadHolders(database)
  let wanted: readonly string[] = []
  const claiming = database.transaction(async (query) => {
    // Only one process claims at a time, to enforce the limits. The other processes soon try again.
    const [lock] = await query(
      `SELECT pg_try_advisory_xact_lock('@runs'::regclass::oid::bigint) AS got`,
    )
    if (lock?.['got'] !== true) return []
    const due = await query(DUE, [
      ['', ...(host === undefined ? [] : [host])],
      limit,
      maxPerOwner,
      version,
      except,
    ])
    if (due.length === 0) return []
    const running = await query(
      `SELECT model, count(*) AS count FROM @runs AS r WHERE holder IS NOT NULL AND driven AND ${IS_HELD} GROUP BY model`,
    )
    wanted = withinLimit(due, running, maxPerModel).slice(0, limit)
    return query(
      `UPDATE @runs SET holder = $2, epoch = epoch + 1, due = NULL, attempts = attempts + 1
       WHERE run = ANY($1::text[]) RETURNING run, epoch`,
      [wanted, lease.holder],
    )
  })
  const rows = await claiming.catch((error: unknown) => {
    // It is unknown whether the runs were claimed.
    wanted.forEach(mayHold)
    throw error
  })
  const claimed = rows.map(({ run, epoch }) => ({ run: String(run), epoch: String(epoch) }))
  for (const { run, epoch } of claimed) nowHolds(run, epoch)
  counter.claimed(claimed.length)
  return claimed
}

const MANY = 1_000_000

/** The due runs that may be executed with their models, in addition to those already running. */
function withinLimit(due: readonly Row[], running: readonly Row[], max: number): string[] {
  const counts = new Map(running.map(({ model, count }) => [model, Number(count)]))
  return due.flatMap(({ run, model }) => {
    const count = (counts.get(model) ?? 0) + 1
    if (count > max) return []
    counts.set(model, count)
    return [String(run)]
  })
}

/**
 * Selects due runs in the order of claiming: one run of each owner before a second run of any
 * owner, counting running ones. The cost does not depend on the number of runs, because each owner
 * is visited once in the index.
 */
const DUE = `
  WITH RECURSIVE owners AS (
    (SELECT coalesce(owner, '') COLLATE "C" AS owner FROM @runs WHERE due IS NOT NULL ORDER BY 1 LIMIT 1)
    UNION ALL
    SELECT (SELECT coalesce(r.owner, '') COLLATE "C" FROM @runs AS r
      WHERE r.due IS NOT NULL AND coalesce(r.owner, '') COLLATE "C" > owners.owner ORDER BY 1 LIMIT 1)
    FROM owners WHERE owners.owner IS NOT NULL
  ), running AS (
    SELECT coalesce(owner, '') COLLATE "C" AS owner, count(*) AS count
    FROM @runs AS r WHERE holder IS NOT NULL AND driven AND ${IS_HELD} GROUP BY 1
  ), candidate AS (
    SELECT due.*, owners.owner,
      row_number() OVER (PARTITION BY owners.owner ORDER BY due.due) + coalesce(running.count, 0) AS place
    FROM owners LEFT JOIN running USING (owner) CROSS JOIN unnest($1::text[]) AS h(host) CROSS JOIN LATERAL (
      SELECT r.run, r.due, r.model FROM @runs AS r
      WHERE coalesce(r.owner, '') COLLATE "C" = owners.owner AND r.host = h.host AND r.due <= now()
        AND r.holder IS NULL AND r.reason IS NULL AND NOT r.imported
        AND r.version IN ('', coalesce($4, r.version)) AND r.run <> ALL($5::text[])
      ORDER BY r.due LIMIT $2 FOR UPDATE SKIP LOCKED
    ) AS due
  )
  SELECT run, model FROM candidate WHERE place <= $3 ORDER BY place, due`
