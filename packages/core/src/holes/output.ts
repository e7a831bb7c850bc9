import type { Hole } from '../hole.ts'
import { asText } from '../print/as-text.ts'
import { spaced } from '../print/spaced.ts'

/** The tool's output as text; only in `result` and `error`. */
export const output: Hole = {
  *read() {
    return false
  },
  print: (printing) => asText(printing.output?.output),
}

/** The tool's output inside a JSON object: data or error under these members. */
export function outcome(members: { success?: string; data: string; error?: string }): Hole {
  return {
    *read() {
      return false
    },
    print: (printing) => {
      const failed = printing.output?.failed ?? false
      const value = printing.output?.output ?? null
      const object: Record<string, unknown> = {}
      if (members.success) object[members.success] = !failed
      object[members.data] = failed ? null : value
      if (members.error) object[members.error] = failed ? asText(value) : null
      return spaced(object)
    },
  }
}

/** The tool's output as one JSON value. */
export const outputJson: Hole = {
  *read() {
    return false
  },
  print: (printing) => spaced(printing.output?.output ?? null),
}
