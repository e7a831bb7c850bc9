import type { Keyboard } from '../person/keyboard.ts'

/** Where a chat's prompts come from: a user at a terminal, or lines that are piped in. */
export interface Person {
  /** Puts text into the next prompt, to be edited. */
  suggest(text: string): void
  /** The next prompt or command; undefined once they leave. */
  next(status: string): Promise<string | undefined>
  /** For questions during a turn; undefined if there is no one to ask. */
  readonly keyboard: Keyboard | undefined
  /** Does work that they can stop. `leaves`: they also want to leave the chat. */
  during<Value>(
    work: (signal: AbortSignal) => Promise<Value>,
  ): Promise<{ readonly value: Value; readonly leaves: boolean }>
  /** Prints text, as it is. */
  show(text: string): void
  close(): void
}
