import type { Hole } from '../hole.ts'
import { name } from '../holes/labels.ts'
import { Marks } from '../read/marks.ts'

/** The tool's name and a parenthesis. Unlike the name alone, this is rare in prose. */
export const opened: Hole = {
  starts: (names) => (names ?? []).map((each) => `${each}(`),
  *read(reading) {
    if (!(yield* name.read({ ...reading, stops: PARENTHESIS }))) return false
    reading.input.cursor++
    return true
  },
  print: ({ call }) => `${call.name}(`,
}

const PARENTHESIS = new Marks(['('])
