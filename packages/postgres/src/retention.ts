import type { PruneLimits } from '@toolglot/agent/journal'
import type { Database } from './database.ts'
import { releaseDeadHolders } from './lease.ts'
import { pruneRuns } from './remove.ts'
import { forgetExpired } from './shared-values.ts'

/** Upkeep in the background. */
export interface Retention {
  /** Ends it after its current step. */
  stop(): Promise<void>
}

/**
 * Deletes what has expired in the background, and old runs at most once a day over all processes. Failures are only reported.
 */
export function startRetention(
  database: Database,
  limits: PruneLimits | undefined,
  warn: (message: string) => void,
): Retention {
  const stopped = new AbortController()
  let working = Promise.resolve()
  // A short command is not delayed.
  let timer = schedule(1000)

  async function tidy(): Promise<void> {
    await forgetExpired(database)
    if (limits) await pruneIfDue(database, limits, stopped.signal)
  }

  function schedule(delay: number): NodeJS.Timeout {
    return setTimeout(() => {
      working = tidy()
        .catch((error: Error) =>
          warn(
            `What is old in the journal at ${database.place} could not be deleted: ${error.message}`,
          ),
        )
        .then(() => {
          if (!stopped.signal.aborted) timer = schedule(HOUR)
        })
    }, delay).unref()
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

/** Deletes old runs unless that was done today, by whichever process. */
export async function pruneIfDue(
  database: Database,
  limits: PruneLimits,
  signal: AbortSignal,
): Promise<void> {
  // A time in the future is that of a clock that was wrong.
  const [claimed] = await database.query(
    `UPDATE @upkeep SET pruned = now()
     WHERE pruned IS NULL OR pruned > now() OR pruned < now() - interval '1 day' RETURNING version`,
  )
  // Otherwise another process does it.
  if (!claimed) return
  await releaseDeadHolders(database)
  await pruneRuns(database.query, limits, signal)
  if (signal.aborted) await database.query('UPDATE @upkeep SET pruned = NULL')
}
