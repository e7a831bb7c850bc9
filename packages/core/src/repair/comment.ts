import { Marks } from '../read/marks.ts'
import { some, until } from '../read/readers.ts'
import type { Repair } from './repair.ts'

/** `// …` and `/* … *​/` between tokens. */
export const comment: Repair = {
  name: 'comment',
  cost: 1,
  *fits({ input, json }) {
    if (input.code() !== 47 || json.state === 'string' || json.state === 'escape') return false
    return (yield* some(input, 2)) && (input.code(1) === 47 || input.code(1) === 42)
  },
  *mend({ input }) {
    const block = input.code(1) === 42
    input.cursor += 2
    const closed = yield* until(input, block ? BLOCK_END : LINE_END, () => {})
    if (closed && block) input.cursor += 2
  },
}

const BLOCK_END = new Marks(['*/'])
const LINE_END = new Marks(['\n', '\r'])
