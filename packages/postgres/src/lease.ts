import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { ProcessCounts } from './counts.ts'
import type { Database } from './database.ts'

/**
 * That this process is alive, for all runs that it holds. The times are those of the database's clock. A lease only decides
 * when others may take over: what keeps two processes from recording the same run is its epoch.
 */
export interface Lease {
  /** Identifies this process and journal. */
  readonly holder: string
  /** Stops renewing it, and releases every run. */
  end(): Promise<void>
}

/** How a lease is kept. */
export interface LeaseOptions {
  /** How long a process counts as alive after it was last heard of, in milliseconds. */
  readonly lease: number
  /** What this process has counted: others see it. */
  readonly counts: () => ProcessCounts
  /** Called after each renewal. */
  readonly onRenewed: (holder: string) => void
  readonly onError: (error: unknown) => void
}

/** Begins the lease of this process. */
export async function startLease(
  { query, transaction }: Database,
  { lease, counts, onRenewed, onError }: LeaseOptions,
): Promise<Lease> {
  const holder = `${process.pid}-${randomUUID()}`
  const name = `process ${process.pid} on ${hostname()}`
  const renew = async (): Promise<void> => {
    // A lease that ran out is renewed, too: the runs that nobody has taken over are still ours.
    await query(
      `INSERT INTO @holders (holder, name, renewed, lease, counts) VALUES ($1, $2, now(), $3 * interval '1 ms', $4)
       ON CONFLICT (holder) DO UPDATE SET renewed = now(), counts = excluded.counts`,
      [holder, name, lease, JSON.stringify(counts())],
    )
  }
  await renew()
  let renewing = Promise.resolve()
  const timer = setInterval(() => {
    renewing = renewing.then(renew).then(() => onRenewed(holder), onError)
  }, lease / 3)
  timer.unref()
  return {
    holder,
    async end() {
      clearInterval(timer)
      await renewing
      await transaction(async (inTransaction) => {
        await inTransaction(FORGET_EMPTY, [holder])
        await inTransaction(RELEASE_ALL, [holder])
        await inTransaction('DELETE FROM @holders WHERE holder = $1', [holder])
      })
    },
  }
}

/**
 * When a run that workers drive is due again: at once, or later and later if those who claimed it have recorded nothing, since it
 * may be the cause of that.
 */
export function backoff(attempts: string): string {
  return `now() + CASE WHEN ${attempts} < 2 THEN 0 ELSE least(3600, 2 ^ least(${attempts}, 12)) END * interval '1 second'`
}

/** A run whose process died before its first record has not begun, and nobody can continue it. */
const FORGET_EMPTY = 'DELETE FROM @runs WHERE holder = $1 AND records = 0'

const RELEASE_ALL = `UPDATE @runs SET holder = NULL,
  due = CASE WHEN driven AND reason IS NULL THEN coalesce(due, ${backoff('attempts')}) END WHERE holder = $1`

/** Releases the runs of processes that are not alive. */
export async function releaseDeadHolders({ query, transaction }: Database): Promise<void> {
  const dead = await query(`SELECT holder FROM @holders AS h WHERE NOT ${IS_ALIVE}`)
  for (const { holder } of dead) {
    await transaction(async (inTransaction) => {
      const [locked] = await inTransaction(
        `SELECT 1 FROM @holders AS h WHERE holder = $1 AND NOT ${IS_ALIVE} FOR UPDATE SKIP LOCKED`,
        [holder],
      )
      // It is alive after all, or somebody else does it.
      if (!locked) return
      await inTransaction(FORGET_EMPTY, [holder])
      await inTransaction(RELEASE_ALL, [holder])
      await inTransaction('DELETE FROM @holders WHERE holder = $1', [holder])
    })
  }
}

/** Whether the holder `h` is alive. A renewal far in the future is that of a clock that was wrong. */
export const IS_ALIVE: string = '(now() BETWEEN h.renewed - h.lease AND h.renewed + h.lease)'

/**
 * Whether the run `r` is held by a process that is alive. A holder that is not known yet counts as alive: its row is deleted
 * only together with its runs.
 */
export const IS_HELD: string = `(r.holder IS NOT NULL AND NOT EXISTS
  (SELECT 1 FROM @holders AS h WHERE h.holder = r.holder AND NOT ${IS_ALIVE}))`
