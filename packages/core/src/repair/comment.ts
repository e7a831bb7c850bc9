import type { Input, Reader } from '../read/input.ts'
import { readLabel } from '../read/label.ts'
import { Marks } from '../read/marks.ts'
import { anyAhead, eatAny, lookAhead, some, space, until } from '../read/readers.ts'
import type { Repair } from './repair.ts'

/** `// …` and `/* … * /` between tokens. */
export const comment: Repair = {
  name: 'comment',
  cost: 1,
  *fits({ input, json }) {
    if (input.code() !== 47 || json.state === 'string' || json.state === 'escape') return false
    return (yield* some(input, 2)) && (input.code(1) === 47 || input.code(1) === 42)
  },
  *apply({ input, guard }) {
    const end = input.code(1) === 42 ? BLOCK_END : LINE_END
    input.cursor += 2
    // A mark in a short comment is data, unless one comes after it too.
    const data = yield* lookAhead(input, isShort(input, end, guard))
    yield* until(input, data ? end : end.join(guard))
    if (input.match(end) !== 'all') return false
    if (end === BLOCK_END) input.cursor += 2
    return undefined
  },
}

function* isShort(input: Input, end: Marks, guard: Marks): Reader<boolean> {
  if ((yield* readLabel(input, end)) === undefined) return false
  yield* eatAny(input, end)
  yield* space(input)
  return !(yield* anyAhead(input, guard))
}

const BLOCK_END = new Marks(['*/'])
const LINE_END = new Marks(['\n', '\r'])
