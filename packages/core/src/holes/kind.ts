import type { Hole } from '../hole.ts'
import { isKey, readLabel } from '../read/label.ts'

/** A word for the format of the next value: `text` for plain text, any other word for JSON. */
export function kind(words: { text: string; json?: string }): Hole {
  return {
    *read({ input, stops, builder }) {
      const label = yield* readLabel(input, stops, isKey)
      if (label === undefined) return builder.fail('syntax', `"${words.text}"`)
      builder.kind = label === words.text ? 'text' : 'json'
      return true
    },
    print: ({ entry }) => {
      const plain = entry![1]
      return typeof plain === 'string' ? words.text : (words.json ?? typeName(plain))
    },
  }
}

/** JSON's name for the type of a value. */
function typeName(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}
