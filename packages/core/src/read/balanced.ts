import { BACKSLASH, CLOSE, CLOSE_LIST, OPEN, OPEN_LIST, QUOTE } from '../json/characters.ts'
import type { Input, Reader } from './input.ts'
import type { Marks } from './marks.ts'

/** Skips an object, looking only at brackets and strings. False: it does not end, or not before one of these marks. */
export function* skipBalanced(input: Input, marks: Marks): Reader<boolean> {
  let depth = 0
  let quoted = false
  let done = false
  const step = (): boolean => {
    while (!done && input.length > 0) {
      const code = input.code()
      if (marks.first[code & 255] !== 0) {
        const match = input.match(marks)
        if (match === 'all' || (match === 'part' && !input.ended)) return match === 'all'
      }
      if (quoted && code === BACKSLASH && input.length < 2 && !input.ended) return false
      input.cursor += quoted && code === BACKSLASH ? Math.min(2, input.length) : 1
      if (code === QUOTE) quoted = !quoted
      else if (!quoted && (code === OPEN || code === OPEN_LIST)) depth++
      else if (!quoted && (code === CLOSE || code === CLOSE_LIST)) done = --depth <= 0
    }
    return done || input.ended
  }
  if (!step()) yield step
  return done
}
