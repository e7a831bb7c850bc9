import type { Journal, RunLog } from '@toolglot/agent/journal'
import type { Runs } from './runs.ts'

/** A journal that several processes share, and what this one takes of its runs. */
export interface SharedJournal {
  readonly journal: Journal
  /** The name of this machine: runs with tools of another one are left to it. */
  readonly machine: string
  /** How many runs this process executes at most, besides those that are started here. */
  readonly maxRuns: number
  /** Opens runs that nobody executes, at most so many. No other process gets the same. */
  readonly claim: (limit: number) => Promise<readonly RunLog[]>
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
      const logs = await claim(room)
      await Promise.all(logs.map((log) => runs.continueClaimed(log).catch(onError)))
      if (logs.length < room) return
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
/** Each opens a folder, and may wait for slow MCP servers. */
const AT_ONCE = 4
