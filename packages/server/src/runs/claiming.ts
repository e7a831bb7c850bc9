import type { Journal, RunLog } from '@toolglot/agent/journal'
import type { SharedValues } from '@toolglot/agent/journal/internal'
import { HttpError } from '../security/http-error.ts'
import type { Runs } from './runs.ts'

/** A journal that several processes share, and the rules for claiming its runs. */
export interface SharedJournal {
  readonly journal: Journal
  /** The store for tokens, logins and gateway responses, if servers share them. */
  readonly values?: SharedValues | undefined
  /** The name of this machine. Runs with tools of another machine are left to that machine. */
  readonly machine: string
  /** The maximum number of claimed runs in this process, in addition to those started here. */
  readonly maxRuns: number
  /** The version of the code and tools of this process. Default: versions are not compared. */
  readonly version?: string | undefined
  /**
   * The treatment of runs that were started with other tools or another version. Default: leave
   * them to other processes.
   */
  readonly whenChanged?: 'leave' | 'ask' | 'continue' | undefined
  /**
   * Opens up to `limit` runs that no process is executing, except the given ones. No other process
   * gets the same runs.
   */
  readonly claim: (limit: number, except: readonly string[]) => Promise<readonly RunLog[]>
}

/** Claims runs in the background. */
export interface Claiming {
  /** Stops claiming runs. */
  stop(): Promise<void>
}

/**
 * Claims and continues the runs of a shared journal that no process is executing, up to this
 * process's limit.
 */
export function startClaiming(
  runs: Pick<Runs, 'count' | 'continueClaimed'>,
  { claim, maxRuns }: Pick<SharedJournal, 'claim' | 'maxRuns'>,
  onError: (error: unknown) => void,
): Claiming {
  let isStopped = false
  let timer: NodeJS.Timeout | undefined
  let working = Promise.resolve()
  /** Runs that need another version or other tools, and the time when they were skipped. */
  const left = new Map<string, number>()
  const next = (delay: number): void => {
    if (isStopped) return
    timer = setTimeout(() => {
      working = claimAll()
        .catch(onError)
        .then(() => next(INTERVAL))
    }, delay)
  }
  next(0)

  async function claimAll(): Promise<void> {
    for (;;) {
      const room = Math.min(maxRuns - runs.count(), AT_ONCE)
      if (isStopped || room < 1) return
      for (const [run, time] of left) if (performance.now() - time > LEFT_TIME) left.delete(run)
      const logs = await claim(room, [...left.keys()])
      await Promise.all(logs.map(continueRun))
      if (logs.length < room) return
    }
  }

  async function continueRun(log: RunLog): Promise<void> {
    try {
      await runs.continueClaimed(log)
    } catch (error) {
      const isChanged = error instanceof HttpError && error.code === 'run_changed'
      if (isChanged) left.set(log.run, performance.now())
      onError(
        isChanged ? new Error(`${log.run} was left to other processes. ${error.message}`) : error,
      )
    }
  }

  return {
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await working
    },
  }
}

/** The interval between two attempts, in milliseconds. */
const INTERVAL = 1000
/**
 * The time until a skipped run is tried again, in milliseconds: the tools may have changed again.
 */
const LEFT_TIME = 10 * 60_000
/** Limits parallel starts: each opens a folder, and may wait for slow MCP servers. */
const AT_ONCE = 4
