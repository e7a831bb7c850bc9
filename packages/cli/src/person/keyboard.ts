import type { Terminal } from '../terminal.ts'

/** Asks and shows things to the user. */
export interface Keyboard {
  /** Asks for one line; resolves to undefined on Ctrl-D or when aborted. */
  ask(question: string, signal: AbortSignal): Promise<string | undefined>
  /** Prints text, as it is. */
  show(text: string): void
}

/** The keyboard of a terminal; undefined if there is no one to ask. */
export function keyboardOf({ ask, errors }: Terminal): Keyboard | undefined {
  return (
    ask && {
      async ask(question, signal) {
        const line = await ask(question, signal)
        // Without an answer, the question is still the last line.
        if (line === undefined) errors.write('\n')
        return line
      },
      show: (text) => void errors.write(text),
    }
  )
}
