import type { Hole, Outcome, Output } from '../hole.ts'
import { gap } from './gap.ts'

/** The tool's output as text; only in `result` and `error`. */
export const output: Hole = shown((given) => given.text())

/** The tool's output as one JSON value. */
export const outputJson: Hole = shown((given) => given.json())

/** The tool's output as a sentence: with a full stop, unless it ends with punctuation of its own. */
export const sentence: Hole = shown((given) => given.sentence())

/** The tool's output as a dictionary with these quotes: an object as it is, anything else as its `value`. */
export function outputDictionary({ quote }: { quote: string }): Hole {
  return shown((given) => given.dictionary(quote))
}

/** The tool's output in a JSON object that has these members. */
export function outcome(members: Outcome): Hole {
  return { ...shown((given) => given.outcome(members)), showsFailure: true }
}

/** Whether the tool failed: one of these texts. */
export function status(success: string, error: string): Hole {
  return {
    ...gap,
    showsFailure: true,
    print: ({ output: given }) => (given?.failed ? error : success),
  }
}

/** The id that the model gave the call, between these texts; nothing if it gave none. */
export function ownId(before: string, after: string): Hole {
  return {
    ...gap,
    print: ({ call }) => (call.ownId ? before + call.id + after : ''),
  }
}

/** Results are only printed, never read: in a reply they are made up. */
function shown(print: (given: Output) => string): Hole {
  return {
    isOutput: true,
    *read() {
      return false
    },
    print: ({ output: given }) => (given ? print(given) : ''),
  }
}
