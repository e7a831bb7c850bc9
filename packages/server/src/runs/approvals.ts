import type { Answers, ApprovalAnswer } from '@toolglot/agent'
import { type Journal, JournalError, type PendingRequest } from '@toolglot/agent/journal'
import { setTimeout as pause } from 'node:timers/promises'
import { createBell } from './feed.ts'
import type { Executions } from './executions.ts'

/** The pending requests of all runs and executions, and the presence of an approver. */
export interface Approvals {
  /**
   * True while an approver is present: one is reading the pending requests, or did so within the
   * last 30 seconds.
   */
  readonly isAttended: () => boolean
  /** The pending requests of all runs and executions, or of one, the oldest first. */
  list(run?: string): Promise<readonly PendingRequest[]>
  /**
   * Yields the pending requests immediately and after every change, until the signal aborts. While
   * it is being read, an approver counts as present.
   */
  follow(signal: AbortSignal): AsyncGenerator<readonly PendingRequest[], void>
  /**
   * Answers a pending request. The first answer counts. Throws a JournalError if there is no
   * pending request with this key.
   */
  answer(run: string, key: string, value: ApprovalAnswer | Answers): Promise<void>
  /** Reports a possible change of the pending requests. */
  readonly changed: () => void
}

/** The dependencies of approvals. */
export interface ApprovalsOptions {
  readonly journal: Journal
  readonly executions: () => Executions
  /** Called with a run after one of its requests was answered. */
  readonly onAnswer: (run: string) => void
  readonly onError: (error: unknown) => void
  /** Returns the time in milliseconds. For tests. */
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
  /** The clients that follow the pending requests. */
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

  /** Reads the pending requests once for all followers, and wakes them if there is a change. */
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
        // Many changes may occur simultaneously, and each is sent as a complete list.
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
        throw new JournalError('not_pending', `No request ${key} is pending in ${run}.`)
      })
      onAnswer(run)
    },
    changed() {
      if (readers.size > 0) void look().catch(onError)
    },
  }
}

/** The time that an approver counts as present after they stop reading, in milliseconds. */
const STILL_THERE = 30_000
/** The minimum time between two updates, in milliseconds. */
const MIN_PAUSE = 50
/** The interval for polling the runs of other processes, in milliseconds. */
const POLL = 1000
