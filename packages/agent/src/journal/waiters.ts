import type { RecordKind } from './journal.ts'

/** The condition of a waiter: a record of a run, or more than a number of records. */
export type WaitTarget =
  | { readonly kind: RecordKind; readonly key: string }
  | { readonly moreThan: number }

/** A waiting caller. */
export interface Waiter {
  readonly run: string
  readonly target: WaitTarget
  readonly resolve: (value: unknown) => void
  readonly reject: (error: Error) => void
}

/** The waiters of this process in a journal. */
export class Waiters {
  readonly #byRun = new Map<string, Set<Waiter>>()
  readonly #left: (waiter: Waiter) => void

  /** `left` is called with each waiter that no longer waits. */
  constructor(left: (waiter: Waiter) => void = () => {}) {
    this.#left = left
  }

  /** Waits until `resolve` or `reject` is called, or the signal aborts. `added` is called with the new waiter. */
  wait(
    run: string,
    target: WaitTarget,
    signal: AbortSignal,
    added: (waiter: Waiter) => void,
  ): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason as Error)
      const leave = (): void => {
        signal.removeEventListener('abort', abort)
        this.#remove(waiter)
      }
      const waiter: Waiter = {
        run,
        target,
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
      const ofRun = this.#byRun.get(run) ?? new Set()
      this.#byRun.set(run, ofRun.add(waiter))
      added(waiter)
    })
  }

  /** The waiters for this run. */
  of(run: string): readonly Waiter[] {
    return [...(this.#byRun.get(run) ?? [])]
  }

  all(): readonly Waiter[] {
    return [...this.#byRun.values()].flatMap((ofRun) => [...ofRun])
  }

  #remove(waiter: Waiter): void {
    const ofRun = this.#byRun.get(waiter.run)
    if (!ofRun?.delete(waiter)) return
    if (ofRun.size === 0) this.#byRun.delete(waiter.run)
    this.#left(waiter)
  }
}
