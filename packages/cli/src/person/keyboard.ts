import type { Terminal } from '../terminal.ts'

/** Asks the user questions, and shows text. */
export interface Keyboard {
  /** Asks for one line; resolves to undefined on Ctrl-D or when aborted. */
  ask(question: string, signal: AbortSignal): Promise<string | undefined>
  /** Prints text unchanged. */
  show(text: string): void
}

/** The keyboard of a terminal. Undefined if there is no user to ask. */
export function keyboardOf({ ask, errors }: Terminal): Keyboard | undefined {
  return (
    ask && {
      async ask(question, signal) {
        const line = await ask(question, signal)
        // Without an answer, the cursor is still in the line of the question.
        if (line === undefined) errors.write('\n')
        return line
      },
      show: (text) => void errors.write(text),
    }
  )
}

/**
 * Asks the user one question at a time. A question waits until its event has been shown, and no
 * event is shown while a question is open: the caller that shows events calls `markShown` after
 * each and awaits `idle` before the next.
 */
export interface PromptQueue {
  /** Reports that the event with this key is on the screen. */
  markShown(key: unknown): void
  /** Resolves once no question is open. */
  idle(): Promise<void>
  /** Asks once `key` has been shown and earlier questions are answered. */
  enqueue<Value>(key: unknown, ask: () => Promise<Value>): Promise<Value>
}

/** Creates an empty queue. */
export function createPromptQueue(): PromptQueue {
  const gates = new Map<unknown, { promise: Promise<void>; resolve: () => void }>()
  let last: Promise<unknown> = Promise.resolve()
  const gateOf = (key: unknown): { promise: Promise<void>; resolve: () => void } => {
    let gate = gates.get(key)
    if (!gate) {
      let resolve!: () => void
      const promise = new Promise<void>((done) => (resolve = done))
      gates.set(key, (gate = { promise, resolve }))
    }
    return gate
  }
  return {
    markShown: (key) => gateOf(key).resolve(),
    idle: async () => void (await last),
    async enqueue(key, ask) {
      await gateOf(key).promise
      gates.delete(key)
      const previous = last
      let done!: () => void
      // Later questions wait for this one.
      last = new Promise<void>((resolve) => (done = resolve))
      try {
        await previous
        return await ask()
      } finally {
        done()
      }
    },
  }
}
