import type { Hole } from '../hole.ts'
import { eat } from '../read/readers.ts'

/**
 * Draws this text, which counts only at the very start of a reply. Elsewhere it is too common to
 * identify a call.
 */
export function first(text: string): Hole {
  return {
    anchored: true,
    starts: () => [text],
    *read({ input, builder }) {
      return (yield* eat(input, text)) || builder.fail('syntax', text)
    },
    print: () => text,
  }
}
