import type { Hole, Outcome, Output } from '../hole.ts'
import { gap } from './gap.ts'

/** The tool's output as text. Allowed only in `result` and `error`. */
export const output: Hole = shown((given) => given.text())

/** The tool's output as one JSON value. */
export const outputJson: Hole = shown((given) => given.json())

/** The tool's output as a sentence: a full stop is added unless it ends with punctuation. */
export const sentence: Hole = shown((given) => given.sentence())

/**
 * The tool's output as a dictionary in these quotes. An object is printed directly, any other
 * output as its `value`.
 */
export function outputDictionary({ quote }: { quote: string }): Hole {
  return shown((given) => given.dictionary(quote))
}

/** The tool's output in a JSON object with these members. */
export function outcome(members: Outcome): Hole {
  return { ...shown((given) => given.outcome(members)), showsFailure: true }
}

/** Prints one of two strings, for the success or failure of the tool. */
export function status(success: string, error: string): Hole {
  return {
    ...gap,
    showsFailure: true,
    print: ({ output: given }) => (given?.failed ? error : success),
  }
}

/** The call's id between these two strings if the model wrote an id; otherwise nothing. */
export function ownId(before: string, after: string): Hole {
  return {
    ...gap,
    print: ({ call }) => (call.ownId ? before + call.id + after : ''),
  }
}

/** A hole that is printed but never read, because a result in a reply is forged. */
function shown(print: (given: Output) => string): Hole {
  return {
    isOutput: true,
    *read() {
      return false
    },
    print: ({ output: given }) => (given ? print(given) : ''),
  }
}
