import { objectOf } from './untyped.ts'

/** What a server says of its own work: while any goes on, answers may miss something. */
export class ServerProgress {
  readonly #tokens = new Set<unknown>()
  #isQuiet = true
  #waiting: (() => void)[] = []

  get isLoading(): boolean {
    return this.#tokens.size > 0 || !this.#isQuiet
  }

  /** When nothing goes on any more. */
  done(): Promise<void> {
    return new Promise((resolve) => {
      if (this.isLoading) this.#waiting.push(resolve)
      else resolve()
    })
  }

  /** `$/progress` */
  progress(params: unknown): void {
    const { token, value } = objectOf(params)
    const { kind } = objectOf(value)
    if (kind === 'begin' && this.#tokens.size < MAX_TOKENS) this.#tokens.add(token)
    if (kind === 'end') this.#tokens.delete(token)
    this.#tell()
  }

  /** rust-analyzer's own way to say it. */
  status(params: unknown): void {
    this.#isQuiet = objectOf(params)['quiescent'] !== false
    this.#tell()
  }

  #tell(): void {
    if (this.isLoading) return
    for (const tell of this.#waiting) tell()
    this.#waiting = []
  }
}

const MAX_TOKENS = 1000
