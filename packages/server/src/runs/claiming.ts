import type { Journal, RunLog } from '@toolglot/agent/journal'
import type { SharedValues } from '@toolglot/agent/journal/internal'
import { HttpError } from '../security/http-error.ts'
import type { Runs } from './runs.ts'

/** A journal that several processes share, and the runs that this one takes. */
export interface SharedJournal {
  readonly journal: Journal
  /** Where servers keep tokens, logins and answers of the gateway, if they share them. */
  readonly values?: SharedValues | undefined
  /** The name of this machine: runs with tools of another one are left to it. */
  readonly machine: string
  /** How many runs this process executes at most, besides those that are started here. */
  readonly maxRuns: number
  /** The version of the code and tools here. Default: versions are not compared. */
  readonly version?: string | undefined
  /** The treatment of runs that were begun with other tools or another version. Default: leave them to others. */
  readonly whenChanged?: 'leave' | 'ask' | 'continue' | undefined
  /** Opens runs that nobody executes, at most so many, and none of those. No other process gets the same. */
  readonly claim: (limit: number, except: readonly string[]) => Promise<readonly RunLog[]>
}

/** Claims runs in the background. */
export interface Claiming {
  /** Claims no more. */
  stop(): Promise<void>
}

/** Continues the runs of a shared journal that nobody executes, as many as this process has room for. */
export function startClaiming(
  runs: Pick<Runs, 'count' | 'continueClaimed'>,
  { claim, maxRuns }: Pick<SharedJournal, 'claim' | 'maxRuns'>,
  onError: (error: unknown) => void,
): Claiming {
  let isStopped = false
  let timer: NodeJS.Timeout | undefined
  let working = Promise.resolve()
  /** The runs that were begun with something else than what is here, and when they were left. */
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
      onError(isChanged ? new Error(`${log.run} is left to others. ${error.message}`) : error)
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

/** Between two looks, in milliseconds. */
const INTERVAL = 1000
/** When a run that was left is tried again, in milliseconds: the tools may have changed again. */
const LEFT_TIME = 10 * 60_000
/** Each opens a folder, and may wait for slow MCP servers. */
const AT_ONCE = 4
