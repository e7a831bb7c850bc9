import type { Hole } from '../hole.ts'
import { damage, strayWords } from './damage.ts'
import { readLabel } from '../read/label.ts'

/**
 * Text on one line that carries no meaning, up to what follows. `starts` are the marks it may begin with; `print` is the text
 * to print there, or `name` for the tool's name. With `repair`, it does not belong here: either words before a list of objects or
 * these `marks`; they are skipped only with repairs, and this one is recorded.
 */
export function aside({
  starts = [],
  print = '',
  repair,
  marks,
}: {
  starts?: readonly string[]
  print?: string
  repair?: string
  marks?: readonly string[]
} = {}): Hole {
  if (repair !== undefined) return marks ? damage(repair, marks) : strayWords(repair)
  /** It contains no line break and no other mark. */
  const fits = (text: string): boolean => {
    const own = starts.find((start) => text.startsWith(start) || start.startsWith(text)) ?? ''
    return !/[\n<]/.test(text.slice(own.length))
  }
  return {
    optional: true,
    starts: () => starts,
    *read({ input, stops, draft }) {
      const label = yield* readLabel(input, stops, fits)
      return label !== undefined || draft.fail('syntax', 'a header')
    },
    print: ({ call }) => (print === 'name' ? call.name : print),
  }
}
