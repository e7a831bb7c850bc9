import type { Hole, Printing, Reading } from '../hole.ts'
import { isKey, isName, readLabel } from '../read/label.ts'
import type { Reader } from '../read/input.ts'

/** The tool's name, up to the text that follows it. */
export const name: Hole = {
  starts: (names) => names ?? LETTERS,
  *read(reading) {
    const label = yield* labelOf(reading, "a tool's name")
    if (label === undefined) return false
    const { draft } = reading
    const fits = isName(label) || draft.tools?.has(label)
    return fits ? draft.nameIt(label) : draft.fail('no-name', "a tool's name")
  },
  print: ({ call }) => call.name,
}

/** The call's id, up to the text that follows it. */
export const id: Hole = {
  *read(reading) {
    const label = yield* labelOf(reading, 'the id of the call')
    if (label === undefined) return false
    reading.draft.id = label
    return true
  },
  print: ({ call }) => call.id ?? '',
}

/** An argument's name; only inside `each`. */
export const key: Hole = {
  *read(reading) {
    const label = yield* labelOf(reading, "an argument's name")
    if (label === undefined || !isKey(label)) return false
    reading.draft.key = label
    return true
  },
  print: ({ entry }: Printing) => entry![0],
}

function* labelOf({ input, stops, draft }: Reading, expected: string): Reader<string | undefined> {
  const label = yield* readLabel(input, stops)
  if (label === undefined) draft.fail(input.ended ? 'cut' : 'syntax', expected)
  return label
}

/** Where no tool is told of, a name may begin with any letter. */
const LETTERS = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_']
