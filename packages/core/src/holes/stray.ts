import type { Hole } from '../hole.ts'
import { OPEN } from '../json/characters.ts'
import type { Input, Reader } from '../read/input.ts'
import type { Marks } from '../read/marks.ts'
import { eatAny, lookAhead, space } from '../read/readers.ts'
import { isKey, readLabel } from '../read/label.ts'

/** Words that do not belong here, before a list of objects: they are skipped, and that is a repair. */
export const stray: Hole = {
  optional: true,
  starts: () => [],
  *read({ input, stops, draft }) {
    const { place } = input
    const words = draft.mayRepair ? yield* readLabel(input, stops, isKey) : undefined
    if (!words || !(yield* lookAhead(input, isObject(input, stops))))
      return draft.fail('syntax', 'a JSON list', place)
    return draft.repair('stray-text')
  },
  print: () => '',
}

/** Prose that mentions a mark may contain brackets, too. */
function* isObject(input: Input, stops: Marks): Reader<boolean> {
  yield* eatAny(input, stops)
  yield* space(input)
  return input.code() === OPEN
}
