import { type Waiter, Waiters, type WaitTarget } from '../../journal/waiters.ts'
import type { Cell, DatabaseThread } from './database-thread.ts'
import { selectFound } from './statements.ts'

/** Waits for answers, messages and other records, whichever process appends them. */
export interface Watcher {
  /**
   * Waits for a record, or until there are more records. `absentAt` is a value of `now()` at which
   * the record did not exist: if nothing has changed since, the journal is not searched.
   */
  wait(run: string, target: WaitTarget, signal: AbortSignal, absentAt?: number): Promise<unknown>
  /** Notifies waiters that this process appended a record. */
  appended(run: string, kind: string): void
  /** A number that grows with each change that may have added records. */
  now(): number
  /** Rejects all waiters. */
  stop(error: Error): void
}

/**
 * While there are waiters, checks regularly if another process has written to the database. This
 * takes microseconds for any number of waiters. Only after a change does a single statement check
 * all their conditions.
 */
export function watchJournal(thread: DatabaseThread, interval = 250): Watcher {
  const waiters = new Waiters(updateTimer)
  let timer: NodeJS.Timeout | undefined
  let polling = false
  let seenVersion: unknown
  let changes = 0
  let unchecked = new Set<Waiter>()
  let checking: Promise<void> | undefined

  /** Checks the conditions of these waiters, together with other unchecked waiters. */
  function check(more: readonly Waiter[]): Promise<void> {
    more.forEach((waiter) => unchecked.add(waiter))
    if (unchecked.size > 0) checking ??= checkAll()
    return checking ?? Promise.resolve()
  }

  async function checkAll(): Promise<void> {
    // Include all waiters added in this tick.
    await new Promise((resolve) => setImmediate(resolve))
    while (unchecked.size > 0) {
      const batch = [...unchecked]
      unchecked = new Set()
      try {
        for (const { waiter, value } of await thread.all(selectFound(batch)))
          settle(batch[Number(waiter)], value)
      } catch (error) {
        batch.forEach(({ reject }) => reject(error as Error))
      }
    }
    checking = undefined
  }

  function settle(waiter: Waiter | undefined, value: Cell | undefined): void {
    try {
      waiter?.resolve(value === null ? undefined : JSON.parse(String(value)))
    } catch (error) {
      // The record is damaged. Other waiters are not affected.
      waiter?.reject(error as Error)
    }
  }

  async function poll(): Promise<void> {
    polling = true
    try {
      const [row] = await thread.all({ sql: 'PRAGMA data_version' })
      const isChanged = row?.['data_version'] !== seenVersion
      seenVersion = row?.['data_version']
      if (isChanged) {
        changes++
        await check(waiters.all())
      }
    } catch (error) {
      stop(error as Error)
    }
    polling = false
    timer = undefined
    updateTimer()
  }

  /** Polls while there are waiters. */
  function updateTimer(): void {
    const { all, lasting } = waiters.counts
    if (all === 0) {
      clearTimeout(timer)
      timer = undefined
    } else if (!polling) {
      timer ??= setTimeout(() => void poll(), interval)
      if (lasting > 0) timer.ref()
      else timer.unref()
    }
  }

  function stop(error: Error): void {
    waiters.all().forEach(({ reject }) => reject(error))
  }

  return {
    wait: (run, target, signal, absentAt) =>
      waiters.wait(run, target, signal, (waiter) => {
        if (absentAt !== changes) void check([waiter])
      }),
    appended(run, kind) {
      if (kind === 'message') changes++
      void check(
        waiters.of(run).filter(({ target }) => !('kind' in target) || target.kind === kind),
      )
    },
    now: () => changes,
    stop,
  }
}
