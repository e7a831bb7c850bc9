import type { Answers, ApprovalAnswer } from '@toolglot/agent'
import { type Journal, JournalError, type PendingRequest } from '@toolglot/agent/journal'
import { setTimeout as pause } from 'node:timers/promises'
import { createBell } from './feed.ts'
import type { Executions } from './executions.ts'

/** The requests to a person, in all runs and executions, and whether a person is there. */
export interface Approvals {
  /** Whether somebody is there: they read what waits, or did so within the last 30 seconds. */
  readonly isAttended: () => boolean
  /** The pending requests of all runs and executions, or of one, the longest wait first. */
  list(run?: string): Promise<readonly PendingRequest[]>
  /** Yields what waits, at once and whenever that changes, until the signal aborts. Meanwhile somebody is there. */
  follow(signal: AbortSignal): AsyncGenerator<readonly PendingRequest[], void>
  /** Answers something. The first answer counts. Throws a JournalError if nothing waits under this key. */
  answer(run: string, key: string, value: ApprovalAnswer | Answers): Promise<void>
  /** Says that there may be more or less to answer. */
  readonly changed: () => void
}

/** The dependencies of approvals. */
export interface ApprovalsOptions {
  readonly journal: Journal
  readonly executions: () => Executions
  /** Called with a run that was answered. */
  readonly onAnswer: (run: string) => void
  readonly onError: (error: unknown) => void
  /** The time in milliseconds, for tests. */
  readonly now?: () => number
}

/** Creates the approvals of a server, including those of runs in other processes. */
export function createApprovals({
  journal,
  executions,
  onAnswer,
  onError,
  now = () => performance.now(),
}: ApprovalsOptions): Approvals {
  let lastSeen = -Infinity
  /** Those who read what waits. */
  const readers = new Set<() => void>()
  let timer: ReturnType<typeof setInterval> | undefined
  let isChanged = false
  let known: readonly PendingRequest[] = []
  let knownText = ''
  let looking: Promise<void> | undefined

  async function list(run?: string): Promise<readonly PendingRequest[]> {
    const recorded = await journal.waiting(run === undefined ? {} : { run })
    const others = executions()
      .waiting()
      .filter((each) => run === undefined || each.run === run)
    const waiting = [...recorded, ...others]
    return waiting.sort((one, other) => one.since - other.since)
  }

  /** Looks what waits, once for all who read it, and wakes them if it is something else. */
  function look(): Promise<void> {
    isChanged = true
    looking ??= (async () => {
      while (isChanged) {
        isChanged = false
        const found = await list()
        const text = JSON.stringify(found)
        if (text !== knownText) {
          known = found
          knownText = text
          for (const wake of readers) wake()
        }
        // Much may change at once, and every change is sent as a whole.
        await pause(MIN_PAUSE)
      }
    })().finally(() => (looking = undefined))
    return looking
  }

  return {
    isAttended: () => readers.size > 0 || now() - lastSeen < STILL_THERE,
    list,
    async *follow(signal) {
      const bell = createBell()
      readers.add(bell.ring)
      timer ??= setInterval(() => void look().catch(onError), POLL)
      signal.addEventListener('abort', bell.ring)
      let sent: string | undefined
      try {
        await look()
        while (!signal.aborted) {
          if (sent !== knownText) {
            sent = knownText
            yield known
          }
          await bell.rung()
        }
      } finally {
        readers.delete(bell.ring)
        signal.removeEventListener('abort', bell.ring)
        lastSeen = now()
        if (readers.size === 0) {
          clearInterval(timer)
          timer = undefined
        }
      }
    },
    async answer(run, key, value) {
      if (await executions().answer(run, key, value)) return
      await journal.answer(run, key, value).catch((error: unknown) => {
        // An execution is not in the journal.
        if (!(error instanceof JournalError && error.problem === 'missing')) throw error
        throw new JournalError('not_pending', `Nothing waits under ${key} in ${run}.`)
      })
      onAnswer(run)
    },
    changed() {
      if (readers.size > 0) void look().catch(onError)
    },
  }
}

/** How long somebody who stopped reading still counts as being there, in milliseconds. */
const STILL_THERE = 30_000
/** Between two changes that are sent, in milliseconds. */
const MIN_PAUSE = 50
/** How often the runs of other processes are looked at, in milliseconds. */
const POLL = 1000
