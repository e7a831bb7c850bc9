import type { Hole, Printing } from '../hole.ts'
import { asText } from '../print/as-text.ts'
import { spaced } from '../print/spaced.ts'
import { gap } from './gap.ts'

/** The tool's output as text; only in `result` and `error`. */
export const output: Hole = shown(asText)

/** The tool's output as one JSON value. */
export const outputJson: Hole = shown(spaced)

/** The tool's output as a sentence: with a full stop, unless it ends with punctuation of its own. */
export const sentence: Hole = shown((value) => {
  const text = asText(value)
  return '.!?…。！？'.includes(text.trimEnd().at(-1) ?? ' ') ? text : `${text}.`
})

/** The tool's output in a JSON object that has these members. */
export function outcome(members: { success: string; data: string; error: string }): Hole {
  return {
    ...shown((value, failed) =>
      spaced({
        [members.success]: !failed,
        [members.data]: failed ? null : value,
        [members.error]: failed ? value : null,
      }),
    ),
    showsFailure: true,
  }
}

/** Whether the tool failed: one of these texts. */
export function status(success: string, error: string): Hole {
  return {
    ...gap,
    showsFailure: true,
    print: ({ output: what }) => (what?.failed ? error : success),
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
export function shown(print: (output: unknown, failed: boolean) => string): Hole {
  return {
    isOutput: true,
    *read() {
      return false
    },
    print: ({ output: what }: Printing) => print(what?.output ?? null, what?.failed ?? false),
  }
}
