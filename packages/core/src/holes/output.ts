import type { Hole, Printing } from '../hole.ts'
import { asText } from '../print/as-text.ts'
import { spaced } from '../print/spaced.ts'
import { gap } from './gap.ts'

/** The tool's output as text; only in `result` and `error`. */
export const output: Hole = shown(asText)

/** The tool's output as one JSON value. */
export const outputJson: Hole = shown(spaced)

/** The tool's output as text that ends a sentence: with one full stop, unless it ends with another such mark. */
export const sentence: Hole = shown((value) => {
  let text = asText(value).trimEnd()
  while (text.endsWith('.')) text = text.slice(0, -1)
  return /[!?…。！？]$/.test(text) ? text : `${text}.`
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
export function status({ success, error }: { success: string; error: string }): Hole {
  const { isOutput: _, ...hole } = shown((__, failed) => (failed ? error : success))
  return { ...hole, showsFailure: true }
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
