import { objectOf } from './untyped.ts'

/** Tracks the progress of a server. While it is loading, answers may be incomplete. */
export class ServerProgress {
  readonly #tokens = new Set<unknown>()
  #isQuiet = true
  #waiting: (() => void)[] = []

  get isLoading(): boolean {
    return this.#tokens.size > 0 || !this.#isQuiet
  }

  /** Resolves when it is not loading. */
  done(): Promise<void> {
    return new Promise((resolve) => {
      if (this.isLoading) this.#waiting.push(resolve)
      else resolve()
    })
  }

  /** Handles `$/progress`. */
  progress(params: unknown): void {
    const { token, value } = objectOf(params)
    const { kind } = objectOf(value)
    if (kind === 'begin' && this.#tokens.size < MAX_TOKENS) this.#tokens.add(token)
    if (kind === 'end') this.#tokens.delete(token)
    this.#notifyIfDone()
  }

  /** Handles the status notification of rust-analyzer. */
  status(params: unknown): void {
    this.#isQuiet = objectOf(params)['quiescent'] !== false
    this.#notifyIfDone()
  }

  #notifyIfDone(): void {
    if (this.isLoading) return
    for (const resolve of this.#waiting) resolve()
    this.#waiting = []
  }
}

const MAX_TOKENS = 1000
