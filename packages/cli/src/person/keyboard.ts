import type { Terminal } from '../terminal.ts'

/** The person at the keyboard. */
export interface Keyboard {
  /** Asks for one line; undefined where none comes, as after Ctrl-D or once it is stopped. */
  ask(question: string, signal: AbortSignal): Promise<string | undefined>
  /** Shows something to them. */
  show(text: string): void
}

/** The one of a terminal, where somebody sits at it. */
export function keyboardOf({ ask, errors }: Terminal): Keyboard | undefined {
  return (
    ask && {
      ask: (question, signal) => ask(question, signal),
      show: (text) => void errors.write(text),
    }
  )
}
