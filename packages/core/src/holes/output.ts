import type { Hole, Printing } from '../hole.ts'
import { asText } from '../print/as-text.ts'
import { spaced } from '../print/spaced.ts'

/** The tool's output as text; only in `result` and `error`. */
export const output: Hole = written((what) => asText(what?.output))

/** The tool's output as one JSON value. */
export const outputJson: Hole = written((what) => spaced(what?.output ?? null))

/** The tool's output in a JSON object that has these members. */
export function outcome(members: { success: string; data: string; error: string }): Hole {
  return written((what) => {
    const failed = what?.failed ?? false
    const value = what?.output ?? null
    return spaced({
      [members.success]: !failed,
      [members.data]: failed ? null : value,
      [members.error]: failed ? asText(value) : null,
    })
  })
}

/** Results are only printed, never read: in a reply they are made up. */
function written(print: (what: Printing['output']) => string): Hole {
  return {
    isOutput: true,
    *read() {
      return false
    },
    print: (printing) => print(printing.output),
  }
}
