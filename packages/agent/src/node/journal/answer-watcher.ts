import type { DatabaseThread } from './database-thread.ts'

/** Waits for answers, whichever process records them. */
export interface AnswerWatcher {
  wait(run: string, key: string, signal: AbortSignal): Promise<unknown>
  /** Looks for answers at once, because this process recorded one. */
  checkNow(): void
  /** Rejects everything that is still waiting. */
  stop(error: Error): void
}

interface Waiter {
  readonly run: string
  readonly key: string
  readonly resolve: (value: unknown) => void
  readonly reject: (error: Error) => void
}

/**
 * While something is waiting, polls whether another process has written to the database, which costs microseconds.
 * Only then does it look for answers.
 */
export function watchAnswers(thread: DatabaseThread, interval = 250): AnswerWatcher {
  const waiters = new Set<Waiter>()
  let timer: NodeJS.Timeout | undefined
  let seenVersion: unknown
  let checking = Promise.resolve()

  async function lookFor(waiter: Waiter): Promise<void> {
    const [row] = await thread.all({
      sql: "SELECT value FROM records WHERE run = :run AND key = :key AND kind = 'answer'",
      values: { run: waiter.run, key: waiter.key },
    })
    if (row) waiter.resolve(JSON.parse(String(row['value'])))
  }

  function checkNow(): void {
    checking = checking.then(async () => {
      await Promise.all([...waiters].map((waiter) => lookFor(waiter).catch(waiter.reject)))
    })
  }

  async function poll(): Promise<void> {
    try {
      const [row] = await thread.all({ sql: 'PRAGMA data_version' })
      if (row?.['data_version'] !== seenVersion) checkNow()
      seenVersion = row?.['data_version']
      await checking
    } catch (error) {
      stop(error as Error)
    }
    clearTimeout(timer)
    timer = waiters.size > 0 ? setTimeout(() => void poll(), interval) : undefined
  }

  function stop(error: Error): void {
    waiters.forEach((waiter) => waiter.reject(error))
  }

  return {
    wait: (run, key, signal) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason as Error)
        const leave = (): void => {
          waiters.delete(waiter)
          signal.removeEventListener('abort', abort)
          if (waiters.size > 0) return
          clearTimeout(timer)
          timer = undefined
        }
        const waiter: Waiter = {
          run,
          key,
          resolve(value) {
            leave()
            resolve(value)
          },
          reject(error) {
            leave()
            reject(error)
          },
        }
        const abort = (): void => waiter.reject(signal.reason as Error)
        signal.addEventListener('abort', abort, { once: true })
        waiters.add(waiter)
        void lookFor(waiter).catch(waiter.reject)
        timer ??= setTimeout(() => void poll(), interval)
      }),
    checkNow,
    stop,
  }
}
