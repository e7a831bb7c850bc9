import type { Input, Reader } from '../read/input.ts'
import { Marks } from '../read/marks.ts'
import { attempt, lookAhead, skipText, some, space, until } from '../read/readers.ts'
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
    yield* until(input, end.join(guard))
    if (input.match(end) !== 'all' && !(yield* attempt(input, mentions(input, end)))) return false
    if (end === BLOCK_END) input.cursor += 2
    return undefined
  },
}

/**
 * Whether a mark is only mentioned here: the comment ends on the same line, without another call in it, and the object closes right
 * after it. Otherwise the mark may have ended the call.
 */
function* mentions(input: Input, end: Marks): Reader<boolean> {
  if (!(yield* skipText(input, end.join(BEFORE_CALL))) || input.match(end) !== 'all') return false
  return yield* lookAhead(input, closesAfter(input, end))
}

function* closesAfter(input: Input, end: Marks): Reader<boolean> {
  input.cursor += end.lengthAt(input)
  yield* space(input)
  return input.code() === 125 || input.code() === 93
}

const BLOCK_END = new Marks(['*/'])
const LINE_END = new Marks(['\n', '\r'])
const BEFORE_CALL = LINE_END.join(new Marks(['{']))
