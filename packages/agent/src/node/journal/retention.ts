import type { PruneLimits } from '../../journal/journal.ts'
import type { Connection } from './connect.ts'
import { refusalOf } from './journal-error.ts'
import { prune } from './prune.ts'

/** Which runs a journal keeps by itself. */
export interface RetentionOptions {
  /** Older runs are deleted once a day, in the background. Runs that have a name, are open or wait are kept. */
  readonly retention?: PruneLimits
  /** The same without `retention`, but never for journals that are older than this option. */
  readonly defaultRetention?: PruneLimits
}

/** Pruning in the background. */
export interface Retention {
  /** Ends it after its current slice. */
  stop(): Promise<void>
}

/** Prunes a journal in the background, at most once a day over all processes. Failures are only reported. */
export function startRetention(
  connection: Connection,
  options: RetentionOptions,
  warn: (message: string) => void,
): Retention {
  const stopped = new AbortController()
  let working = Promise.resolve()
  let timer: NodeJS.Timeout | undefined
  const { retention, defaultRetention } = options
  // A short command is not delayed.
  if (retention ?? defaultRetention) schedule(1000)

  function schedule(delay: number): void {
    timer = setTimeout(() => {
      working = pruneIfDue(connection, options, stopped.signal)
        .catch((error: Error) =>
          warn(`Old runs in the journal ${connection.file} could not be deleted: ${error.message}`),
        )
        .then(() => {
          if (!stopped.signal.aborted) schedule(HOUR)
        })
    }, delay)
    timer.unref()
  }

  return {
    async stop() {
      stopped.abort()
      clearTimeout(timer)
      await working
    },
  }
}

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** Prunes a journal unless that was done today, by whichever process. If it is aborted, another process may finish it. */
export async function pruneIfDue(
  connection: Connection,
  { retention, defaultRetention }: RetentionOptions,
  signal: AbortSignal,
): Promise<void> {
  const { thread, releaseDeadHolders } = connection
  const [row] = await thread.all({ sql: 'SELECT created_by, pruned FROM upkeep' })
  const limits = retention ?? (Number(row?.['created_by']) >= 2 ? defaultRetention : undefined)
  const [before, now] = [Number(row?.['pruned']), Date.now()]
  // A time in the future is that of a clock that was wrong.
  if (!limits || (before <= now && now - before < DAY)) return
  const claim = (from: number, to: number): Promise<string | undefined> => {
    const sql = 'UPDATE upkeep SET pruned = :to WHERE pruned = :from'
    return refusalOf(thread.commit([{ sql, values: { from, to }, mustChange: true }]))
  }
  // Otherwise another process does it.
  if ((await claim(before, now)) !== undefined) return
  await releaseDeadHolders()
  const open = await thread.all({ sql: 'SELECT 1 FROM runs WHERE holder IS NOT NULL LIMIT 1' })
  // A run must not wait until an old journal is rewritten.
  await prune(connection, limits, { signal, convert: open.length === 0 })
  if (signal.aborted) await claim(now, before)
}
