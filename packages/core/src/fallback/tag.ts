import type { Hole } from '../hole.ts'
import type { Input, Reader } from '../read/input.ts'
import { readLabel } from '../read/label.ts'
import { Marks } from '../read/marks.ts'
import { some, space } from '../read/readers.ts'

/** An opening tag that mentions calls, such as `<tool_code>`, `<|call|>` or `[FUNCTION_CALL]`. */
export const tag: Hole = {
  starts: () => ['<', '['],
  *read({ input, builder }) {
    yield* space(input)
    const label = yield* readTag(input)
    return (label !== undefined && CALLS.test(label)) || builder.fail('syntax', 'a tag')
  },
  print: () => '',
}

/** Reads one tag. Returns what is in it; undefined: there is none. */
export function* readTag(input: Input): Reader<string | undefined> {
  if (!(yield* some(input))) return undefined
  const end = ENDS.get(input.code())
  if (!end) return undefined
  input.cursor++
  const label = yield* readLabel(input, end, (text) => LABEL.test(text))
  if (!label) return undefined
  input.cursor++
  return label
}

/** What a tag around a call says. */
export const CALLS: RegExp = /tool|func|call|action|plugin|invoke|arg|param|input/i

const LABEL = /^[\w|｜▁/:.-]{0,40}$/

/** What ends a tag, by the code of what begins it. */
const ENDS = new Map([
  [60, new Marks(['>'])],
  [91, new Marks([']'])],
])
