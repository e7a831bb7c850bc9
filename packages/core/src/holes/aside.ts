import type { Hole } from '../hole.ts'
import { readLabel } from '../read/label.ts'

/**
 * Text on one line that carries nothing, up to what follows. `starts` are the marks it may begin with; `print` is what is
 * written there, or `name` for the tool's name.
 */
export function aside({
  starts = [],
  print = '',
}: { starts?: readonly string[]; print?: string } = {}): Hole {
  /** No line break and no other mark may stand in it. */
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
