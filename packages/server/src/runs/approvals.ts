import type { Answers, ApprovalAnswer } from '@toolglot/agent'
import { type Journal, JournalError, type PendingRequest } from '@toolglot/agent/journal'
import { createBell } from './bell.ts'
import type { Executions } from './executions.ts'

/** What waits for a person, in all runs and executions, and whether there is one. */
export interface Approvals {
  /** Whether somebody is there: they read what waits, or did so within the last 30 seconds. */
  readonly isAttended: () => boolean
  /** What waits in all runs and executions, or in one, the longest wait first. */
  list(run?: string): Promise<readonly PendingRequest[]>
  /** Yields what waits, at once and whenever that changes, until the signal aborts. Meanwhile somebody is there. */
  follow(signal: AbortSignal): AsyncGenerator<readonly PendingRequest[], void>
  /** Answers something. The first answer counts. Throws a JournalError if nothing waits under this key. */
  answer(run: string, key: string, value: ApprovalAnswer | Answers): Promise<void>
  /** Says that there may be more or less to answer. */
  readonly changed: () => void
}

/** Creates the approvals of a server. The runs of other processes count, too. `now` is in milliseconds. */
export function createApprovals(
  journal: Journal,
  executions: () => Executions,
  now: () => number = () => performance.now(),
): Approvals {
  let streams = 0
  let lastSeen = -Infinity
  const listeners = new Set<() => void>()

  async function list(run?: string): Promise<readonly PendingRequest[]> {
    const recorded = await journal.waiting(run === undefined ? {} : { run })
    const others = executions()
      .waiting()
      .filter((each) => run === undefined || each.run === run)
    const waiting = [...recorded, ...others]
    return waiting.sort((one, other) => one.since - other.since)
  }

  return {
    isAttended: () => streams > 0 || now() - lastSeen < STILL_THERE,
    list,
    async *follow(signal) {
      const bell = createBell()
      const timer = setInterval(bell.ring, POLL)
      listeners.add(bell.ring)
      signal.addEventListener('abort', bell.ring)
      let known: string | undefined
      streams++
      try {
        while (!signal.aborted) {
          const waiting = await list()
          const text = JSON.stringify(waiting)
          if (text !== known) yield waiting
          known = text
          await bell.rung()
        }
      } finally {
        clearInterval(timer)
        listeners.delete(bell.ring)
        signal.removeEventListener('abort', bell.ring)
        streams--
        lastSeen = now()
      }
    },
    async answer(run, key, value) {
      if (await executions().answer(run, key, value)) return
      await journal.answer(run, key, value).catch((error: unknown) => {
        // An execution is not in the journal.
        if (!(error instanceof JournalError && error.problem === 'missing')) throw error
        throw new JournalError('not_pending', `Nothing waits under ${key} in ${run}.`)
      })
    },
    changed() {
      for (const listener of listeners) listener()
    },
  }
}

/** How long somebody who stopped reading still counts as being there, in milliseconds. */
const STILL_THERE = 30_000
/** How often the runs of other processes are looked at, in milliseconds. */
const POLL = 1000
