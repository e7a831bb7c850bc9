import type { Thread } from './thread.ts'

/** Tells those who wait for an answer, whichever process gives it. */
export interface Answers {
  wait(run: string, key: string, signal: AbortSignal): Promise<unknown>
  /** Looks for answers now: this process gave one. */
  look(): void
  stop(error: Error): void
}

interface Waiting {
  readonly run: string
  readonly key: string
  readonly resolve: (value: unknown) => void
  readonly reject: (error: Error) => void
}

/**
 * While somebody waits, SQLite is asked whether another process has written anything, which costs microseconds; only
 * then are answers looked for.
 */
export function answersOf(thread: Thread, every = 250): Answers {
  const waiting = new Set<Waiting>()
  let timer: NodeJS.Timeout | undefined
  let seen: unknown
  let looking = Promise.resolve()

  async function lookFor(one: Waiting): Promise<void> {
    const [row] = await thread.all({
      sql: "SELECT value FROM records WHERE run = :run AND key = :key AND kind = 'answer'",
      values: { run: one.run, key: one.key },
    })
    if (row) one.resolve(JSON.parse(String(row['value'])))
  }

  function look(): void {
    looking = looking.then(async () => {
      await Promise.all([...waiting].map((one) => lookFor(one).catch(one.reject)))
    })
  }

  async function poll(): Promise<void> {
    try {
      const [row] = await thread.all({ sql: 'PRAGMA data_version' })
      if (row?.['data_version'] !== seen) look()
      seen = row?.['data_version']
      await looking
    } catch (error) {
      stop(error as Error)
    }
    clearTimeout(timer)
    timer = waiting.size > 0 ? setTimeout(() => void poll(), every) : undefined
  }

  function stop(error: Error): void {
    waiting.forEach((one) => one.reject(error))
  }

  return {
    wait: (run, key, signal) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason as Error)
        const leave = (): void => {
          waiting.delete(one)
          signal.removeEventListener('abort', abort)
          if (waiting.size > 0) return
          clearTimeout(timer)
          timer = undefined
        }
        const one: Waiting = {
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
        const abort = (): void => one.reject(signal.reason as Error)
        signal.addEventListener('abort', abort, { once: true })
        waiting.add(one)
        void lookFor(one).catch(one.reject)
        timer ??= setTimeout(() => void poll(), every)
      }),
    look,
    stop,
  }
}
