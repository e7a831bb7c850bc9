import type { RecordKind } from './journal.ts'

/**
 * The condition that ends a wait: a certain record of a run, or more than a certain number of
 * records.
 */
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

/** The callers in this process waiting for records of a journal. */
export class Waiters {
  readonly #byRun = new Map<string, Set<Waiter>>()
  readonly #changed: () => void
  readonly #counts = { all: 0, lasting: 0 }

  /** `changed` is called whenever the counts change. */
  constructor(changed: () => void = () => {}) {
    this.#changed = changed
  }

  /** The number of all waiters, and the number of those that keep the process alive. */
  get counts(): { readonly all: number; readonly lasting: number } {
    return this.#counts
  }

  /**
   * Waits until `resolve` or `reject` is called or the signal is aborted. `added` is called with
   * the new waiter.
   */
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
      this.#count(waiter, 1)
      added(waiter)
    })
  }

  /** The waiters for a run. */
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
    this.#count(waiter, -1)
  }

  #count({ target }: Waiter, by: 1 | -1): void {
    this.#counts.all += by
    // Most runs never receive a message, so waiting for one does not keep the process alive.
    if (!('kind' in target) || target.kind !== 'message') this.#counts.lasting += by
    this.#changed()
  }
}
