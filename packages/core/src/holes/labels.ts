import type { Hole, Printing, Reading } from '../hole.ts'
import { REFUSED, UNSURE, WAIT } from '../read/lookahead.ts'
import { isKey, isName, labelEnd, readLabel } from '../read/label.ts'
import type { CallBuilder } from '../read/call-builder.ts'
import type { Reader } from '../read/input.ts'
import { Marks } from '../read/marks.ts'
import { meantKey } from '../read/names.ts'
import { ESCAPED_BREAK } from '../read/readers.ts'

/** The tool's name, up to the text that follows it. */
export const name: Hole = {
  starts: (names) => names ?? LETTERS,
  *read(reading) {
    const { builder, input } = reading
    const stops = stopsOf(reading)
    const label = yield* labelOf({ ...reading, stops }, A_NAME, fitsName(reading, builder.tools))
    if (label === undefined || (input.code() === 92 && !builder.mayRepair)) return false
    return builder.setName(meantKey(label))
  },
  lookahead(look, from) {
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
    return label !== undefined && reading.builder.identify(label)
  },
  print: ({ call }) => call.id ?? '',
}

/** An argument's name. Allowed only inside `each`. */
export const key: Hole = {
  *read(reading) {
    // A name without its closing mark ends where the picture continues.
    const stops = reading.builder.mayRepair ? reading.stops.join(reading.later) : reading.stops
    const label = yield* labelOf({ ...reading, stops }, "an argument's name", isKey)
    if (label === undefined || label === '') return false
    const meant = meantKey(label)
    reading.builder.key = meant
    reading.builder.isLiteral = meant !== label
    return true
  },
  print: ({ entry }: Printing) => entry![0],
}

const A_NAME = "a tool's name"

type Place = Pick<Reading, 'stops' | 'attribute'>

function stopsOf({ stops, attribute }: Place): Marks {
  return attribute ? stops : stops.join(ESCAPED)
}

function fitsName({ attribute }: Place, tools: CallBuilder['tools']): (text: string) => boolean {
  return attribute ? isKey : (text) => isName(text) || begins(text, tools)
}

/** True if this text begins the name of a known tool, which may contain any character. */
function begins(text: string, tools: CallBuilder['tools']): boolean {
  return tools !== undefined && [...tools.keys()].some((known) => known.startsWith(text))
}

function* labelOf(
  { input, stops, builder }: Reading,
  expected: string,
  fits: (label: string) => boolean,
): Reader<string | undefined> {
  const label = yield* readLabel(input, stops, fits)
  if (label === undefined) builder.fail(input.finished ? 'cut' : 'syntax', expected)
  return label
}

const ESCAPED = new Marks([ESCAPED_BREAK])

/** Without tools, a name may begin with any letter. */
const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_'.split('')
