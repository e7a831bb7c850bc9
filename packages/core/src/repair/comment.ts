import { Marks } from '../read/marks.ts'
import { some, until } from '../read/readers.ts'
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
    if (input.match(end) !== 'all') return false
    if (end === BLOCK_END) input.cursor += 2
    return undefined
  },
}

const BLOCK_END = new Marks(['*/'])
const LINE_END = new Marks(['\n', '\r'])
