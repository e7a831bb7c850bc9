import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { type CloseRunOptions, JournalError } from '@toolglot/agent/journal'
import { type HoldOptions, importedError } from '@toolglot/agent/journal/internal'
import type { Database, Query } from './database.ts'
import type { ProcessCounts } from './status.ts'

/**
 * Proof that this process is alive, for all runs that it holds, based on the database's clock. A
 * lease only determines when other processes may take over; the epoch of a run prevents two
 * processes from recording it.
 */
export interface Lease {
  /** Identifies this process and journal. */
  readonly holder: string
  /** Stops renewing the lease and releases every run. */
  end(): Promise<void>
}

/** Options for a lease. */
interface LeaseOptions {
  /** The time for which a process counts as alive after its last renewal, in milliseconds. */
  readonly lease: number
  /** The counts of this process, for monitoring. */
  readonly counts: () => ProcessCounts
  /** Called after each renewal. */
  readonly onRenewed: (holder: string) => void
  readonly onError: (error: unknown) => void
}

/** Starts the lease of this process. */
export async function startLease(
  { query, transaction }: Database,
  { lease, counts, onRenewed, onError }: LeaseOptions,
): Promise<Lease> {
  const holder = `${process.pid}-${randomUUID()}`
  const name = `process ${process.pid} on ${hostname()}`
  const renew = async (): Promise<void> => {
    // An expired lease can be renewed: this process keeps the runs that no other process has taken
    // over.
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
 * The time at which a run for workers is due again: immediately, or with increasing delays if those
 * that claimed it recorded nothing, since the run may be the cause.
 */
function backoff(attempts: string): string {
  return `now() + CASE WHEN ${attempts} < 2 THEN 0 ELSE least(3600, 2 ^ least(${attempts}, 12)) END * interval '1 second'`
}

/** A run whose process died before its first record has not started, and cannot be continued. */
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
      // The process is alive after all, or another process releases its runs.
      if (!locked) return
      await inTransaction(FORGET_EMPTY, [holder])
      await inTransaction(RELEASE_ALL, [holder])
      await inTransaction('DELETE FROM @holders WHERE holder = $1', [holder])
    })
  }
}

/** True if the holder `h` is alive. A renewal far in the future is due to a wrong clock. */
export const IS_ALIVE: string = '(now() BETWEEN h.renewed - h.lease AND h.renewed + h.lease)'

/**
 * True if the run `r` is held by a living process. An unknown holder counts as alive: its row is
 * deleted only together with its runs.
 */
export const IS_HELD: string = `(r.holder IS NOT NULL AND NOT EXISTS
  (SELECT 1 FROM @holders AS h WHERE h.holder = r.holder AND NOT ${IS_ALIVE}))`

/** Options for holding a run on Postgres. */
export interface HoldRunOptions extends HoldOptions {
  /** True if workers may claim a new run once this process no longer has it open. */
  readonly driven: boolean
}

/** A process's new hold on a run. */
export interface NewHold {
  readonly epoch: string
  /** True if the run was just created, so it has no records. */
  readonly isNew: boolean
}

/** Makes a process the holder of a run. Undefined if the run does not exist and is not created. */
export async function holdRun(
  query: Query,
  run: string,
  holder: string,
  { imported, create, takeover, driven }: HoldRunOptions,
): Promise<NewHold | undefined> {
  for (;;) {
    // Most runs to hold with `create` are new.
    const [created] = create
      ? await query(
          `INSERT INTO @runs (run, started, last, holder, driven, epoch) VALUES ($1, $2, $2, $3, $4, 1)
           ON CONFLICT DO NOTHING RETURNING epoch`,
          [run, Date.now(), holder, driven],
        )
      : []
    if (created) return { epoch: String(created['epoch']), isNew: true }
    const [held] = await query(
      `UPDATE @runs AS r SET holder = $2, epoch = epoch + 1, due = NULL
       WHERE run = $1 AND ($3 OR NOT imported) AND ($4 OR NOT ${IS_HELD}) RETURNING epoch`,
      [run, holder, imported, takeover],
    )
    if (held) return { epoch: String(held['epoch']), isNew: false }
    const [row] = await query(
      `SELECT r.imported, ${IS_HELD} AS held, h.name AS holder
       FROM @runs AS r LEFT JOIN @holders AS h USING (holder) WHERE run = $1`,
      [run],
    )
    if (!row && !create) return undefined
    if (row?.['held'] === true && !takeover) throw busyError(run, row['holder'])
    if (row?.['imported'] === true && !imported) throw importedError(run)
    // The run was released or deleted in the meantime, so try again.
  }
}

/** A run to release, with options. */
export interface Releasing extends CloseRunOptions {
  readonly run: string
  /** Undefined if it is unknown whether the run was held. */
  readonly epoch: string | undefined
}

/**
 * Releases a run, unless another process has taken it over. A run for workers is due if it should
 * be continued.
 */
export async function releaseRun(
  query: Query,
  holder: string,
  { run, epoch, continueAt, untouched = false }: Releasing,
): Promise<void> {
  const attempts = untouched ? 'greatest(attempts - 1, 0)' : 'attempts'
  const due =
    continueAt === undefined
      ? backoff(attempts)
      : continueAt === Infinity
        ? 'NULL'
        : 'greatest(now(), to_timestamp($4::double precision / 1000))'
  await query(
    `UPDATE @runs SET holder = NULL, attempts = ${attempts},
       due = CASE WHEN driven AND reason IS NULL AND records > 0 THEN coalesce(due, ${due}) END
     WHERE run = $1 AND holder = $2 AND epoch = coalesce($3, epoch)`,
    [run, holder, epoch, ...(due.includes('$4') ? [continueAt] : [])],
  )
}

/** The error for a run that is open elsewhere. */
export function busyError(run: string, holder: unknown): JournalError {
  const who = typeof holder === 'string' ? holder : 'another process'
  return new JournalError(
    'busy',
    `The run ${run} is open in ${who}. Only one process can record a run: stop it there first.`,
  )
}
