import { type CloseRunOptions, JournalError } from '@toolglot/agent/journal'
import { type HoldOptions, importedError } from '@toolglot/agent/journal/internal'
import type { Query } from './database.ts'
import { backoff, IS_HELD } from './lease.ts'

/** How a run is held on Postgres. */
export interface HoldRunOptions extends HoldOptions {
  /** Whether a new run is for whoever claims it, once this process no longer has it open. */
  readonly driven: boolean
}

/** That a process has become the holder of a run. */
export interface NewHold {
  readonly epoch: string
  /** Whether the run was created: it has no records. */
  readonly isNew: boolean
}

/** Makes a process the holder of a run. Undefined if it does not exist and is not created. */
export async function holdRun(
  query: Query,
  run: string,
  holder: string,
  { imported, create, takeover, driven }: HoldRunOptions,
): Promise<NewHold | undefined> {
  for (;;) {
    // Most runs that may be created are.
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
    // Otherwise it was released or deleted in the meantime: try again.
  }
}

/** A run that is released, and how. */
export interface Releasing extends CloseRunOptions {
  readonly run: string
  /** Undefined if it is not known whether it was held. */
  readonly epoch: string | undefined
}

/** Releases a run, unless somebody has taken it over. A run that workers drive is due when it should be continued. */
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

/** Says who has a run open. */
export function busyError(run: string, holder: unknown): JournalError {
  const who = typeof holder === 'string' ? holder : 'another process'
  return new JournalError(
    'busy',
    `The run ${run} is open in ${who}. Only one process can record a run: stop it there first.`,
  )
}
