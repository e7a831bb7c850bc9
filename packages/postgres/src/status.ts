import { type ProcessCounts, readCounts } from './counts.ts'
import type { Database } from './database.ts'
import { IS_ALIVE, IS_HELD } from './lease.ts'
import { IS_WAITING } from './queries.ts'

/** How many runs that have not ended there are. */
export interface JournalStatus {
  /** Executed by a process that is alive. */
  readonly running: number
  /** For workers, and nobody executes them yet. */
  readonly due: number
  /** For workers, but those who claimed them recorded nothing: they are tried again later. */
  readonly postponed: number
  /** Held by a process that is gone. */
  readonly orphaned: number
  /** Wait for a person. */
  readonly waiting: number
  /** The processes that are alive, and what each has counted until a few seconds ago. */
  readonly processes: readonly (ProcessCounts & { readonly name: string })[]
}

/** Counts the runs that have not ended. Those that have do not matter for what it costs. */
export async function readStatus({ query }: Pick<Database, 'query'>): Promise<JournalStatus> {
  const [row] = await query(
    `SELECT count(*) FILTER (WHERE held) AS running,
       count(*) FILTER (WHERE due <= now() AND holder IS NULL) AS due,
       count(*) FILTER (WHERE due > now()) AS postponed,
       count(*) FILTER (WHERE holder IS NOT NULL AND NOT held) AS orphaned,
       count(*) FILTER (WHERE waits) AS waiting
     FROM (SELECT r.due, r.holder, ${IS_HELD} AS held, ${IS_WAITING} AS waits FROM @runs AS r WHERE r.reason IS NULL) AS r`,
  )
  const processes = await query(
    `SELECT name, counts FROM @holders AS h WHERE ${IS_ALIVE} ORDER BY name, holder`,
  )
  const count = (name: string): number => Number(row?.[name] ?? 0)
  return {
    running: count('running'),
    due: count('due'),
    postponed: count('postponed'),
    orphaned: count('orphaned'),
    waiting: count('waiting'),
    processes: processes.map(({ name, counts }) => ({
      name: String(name),
      ...readCounts(String(counts)),
    })),
  }
}
