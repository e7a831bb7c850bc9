import type { Keyboard } from '../person/keyboard.ts'

/** Who a chat is with: somebody at a terminal, or lines that are piped in. */
export interface Person {
  /** What they say next; undefined once they leave. */
  next(status: string): Promise<string | undefined>
  /** Asks them something in between; undefined where there is nobody. */
  readonly keyboard: Keyboard | undefined
  /** Does something that they can stop. `leaves`: they want to leave, too. */
  during<Value>(
    work: (signal: AbortSignal) => Promise<Value>,
  ): Promise<{ readonly value: Value; readonly leaves: boolean }>
  /** Shows them something. */
  show(text: string): void
  close(): void
}
