import type { Reader } from '../read/input.ts'
import { readLabel } from '../read/label.ts'
import { Marks } from '../read/marks.ts'
import { lookAhead } from '../read/readers.ts'
import type { Repair, Stop } from './repair.ts'

/** `{name: "x"}` */
export const unquotedKey: Repair = {
  name: 'unquoted-key',
  cost: 2,
  *fits(stop) {
    if (!stop.json.wantsKey) return false
    return !!(yield* lookAhead(stop.input, readKey(stop)))
  },
  *apply(stop) {
    stop.json.nameKey((yield* readKey(stop))!)
  },
}

function readKey({ input }: Stop): Reader<string | undefined> {
  return readLabel(input, COLON, (label) => KEY.test(label))
}

const COLON = new Marks([':'])
const KEY = /^[\p{L}\p{N}_$-]*$/u
