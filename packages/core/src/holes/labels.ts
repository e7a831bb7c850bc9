import type { Hole, Printing, Reading } from '../hole.ts'
import { REFUSED, UNSURE, WAIT } from '../read/glance.ts'
import { isKey, isName, labelEnd, readLabel } from '../read/label.ts'
import type { Draft } from '../read/draft.ts'
import type { Reader } from '../read/input.ts'
import { Marks } from '../read/marks.ts'
import { meantKey } from '../read/written-key.ts'
import { ESCAPED_BREAK } from '../read/readers.ts'

/** The tool's name, up to the text that follows it. */
export const name: Hole = {
  starts: (names) => names ?? LETTERS,
  *read(reading) {
    const { draft, input } = reading
    const stops = stopsOf(reading)
    const label = yield* labelOf({ ...reading, stops }, A_NAME, fitsName(reading, draft.tools))
    if (label === undefined || (input.code() === 92 && !draft.mayRepair)) return false
    return draft.setName(meantKey(label))
  },
  glance(look, from) {
    const { input, tools } = look
    const end = labelEnd(input, stopsOf(look), fitsName(look, tools), from)
    if (end === REFUSED) return look.refuse(A_NAME, from, input.finished ? 'cut' : 'syntax')
    if (end === WAIT) return WAIT
    const isName = input.between(from, end).trim() !== '' && input.code(end) !== 92
    return isName && look.takesAnyName ? end : UNSURE
  },
  print: ({ call, next, write }) => write.name(call.name, next),
}

/** The call's id, up to the text that follows it. */
export const id: Hole = {
  identifies: true,
  *read(reading) {
    const label = yield* labelOf(reading, 'the id of the call', isKey)
    return label !== undefined && reading.draft.identify(label)
  },
  print: ({ call }) => call.id ?? '',
}

/** An argument's name; only inside `each`. */
export const key: Hole = {
  *read(reading) {
    // If its closing mark is missing, it ends where the picture continues.
    const stops = reading.draft.mayRepair ? reading.stops.join(reading.later) : reading.stops
    const label = yield* labelOf({ ...reading, stops }, "an argument's name", isKey)
    if (label === undefined || label === '') return false
    const meant = meantKey(label)
    reading.draft.key = meant
    reading.draft.isLiteral = meant !== label
    return true
  },
  print: ({ entry }: Printing) => entry![0],
}

const A_NAME = "a tool's name"

type Place = Pick<Reading, 'stops' | 'attribute'>

function stopsOf({ stops, attribute }: Place): Marks {
  return attribute ? stops : stops.join(ESCAPED)
}

function fitsName({ attribute }: Place, tools: Draft['tools']): (text: string) => boolean {
  return attribute ? isKey : (text) => isName(text) || begins(text, tools)
}

/** Whether the name of a known tool, which may contain anything, begins with this text. */
function begins(text: string, tools: Draft['tools']): boolean {
  return tools !== undefined && [...tools.keys()].some((known) => known.startsWith(text))
}

function* labelOf(
  { input, stops, draft }: Reading,
  expected: string,
  fits: (label: string) => boolean,
): Reader<string | undefined> {
  const label = yield* readLabel(input, stops, fits)
  if (label === undefined) draft.fail(input.finished ? 'cut' : 'syntax', expected)
  return label
}

const ESCAPED = new Marks([ESCAPED_BREAK])

/** If no tools are given, a name may begin with any letter. */
const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_'.split('')
