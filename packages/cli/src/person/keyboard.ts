/** The person at the keyboard. */
export interface Keyboard {
  /** Asks for one line; undefined where none comes, as after Ctrl-D or once it is stopped. */
  ask(question: string, signal: AbortSignal): Promise<string | undefined>
  /** Shows something to them. */
  show(text: string): void
}
