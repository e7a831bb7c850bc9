import type { Hole, Printing, Reading } from '../hole.ts'
import { readArguments } from '../json/arguments.ts'
import { starts, tokens } from '../read/compile.ts'
import type { Reader } from '../read/input.ts'
import { Marks } from '../read/marks.ts'
import { anyAhead, eat, layout, until } from '../read/readers.ts'
import { spaced } from '../print/spaced.ts'
import type { Wire } from '../wire.ts'

/**
 * The same picture once per argument. Of several pictures, the first that can carry a value is printed; the later
 * ones are the more special and are tried first in reading.
 */
export function each(
  of: Wire | readonly Wire[],
  options: { separator?: string; avoid?: readonly string[] } = {},
): Hole {
  const members = membersOf(of, options)
  return {
    optional: true,
    starts: () => members.starts,
    around: () => members.around,
    *read(reading) {
      if (!(yield* readMembers(reading, members))) return false
      reading.draft.finishArguments(yield* anyAhead(reading.input, reading.stops))
      return true
    },
    print: (printing) => printMembers(printing, members),
  }
}

/** The pictures of an argument, and what stands between two. */
export interface MemberPictures {
  readonly pictures: readonly Wire[]
  readonly separator: string
  /** Text that a value may hold only in one of the special pictures. */
  readonly avoid: readonly string[]
  readonly starts: readonly string[]
  /** All that stands around keys and values. */
  readonly around: readonly string[]
  readonly first: Marks
}

export function membersOf(
  of: Wire | readonly Wire[],
  { separator = '', avoid = [] }: { separator?: string; avoid?: readonly string[] },
): MemberPictures {
  const pictures = Array.isArray(of[0]) ? (of as readonly Wire[]) : [of as Wire]
  return {
    pictures,
    separator,
    avoid,
    starts: pictures.flatMap((picture) => starts(picture).marks),
    around: pictures
      .flat()
      .flatMap((part) => (typeof part === 'string' ? starts([part]).marks : [])),
    // With all of the text before the first hole: a value may well hold the beginning of a tag.
    first: new Marks(pictures.map(([part]) => (typeof part === 'string' ? part : ''))),
  }
}

/** Read arguments up to what follows them all. True: there may be more to say before they are finished. */
export function* readMembers(reading: Reading, members: MemberPictures): Reader<boolean> {
  const { input, draft, stops } = reading
  const next = stops.join(members.first)
  const between = tokens(members.separator)
  const special = [...members.pictures].reverse()
  draft.closed = true
  while (yield* another(reading, members.first, between)) {
    if (draft.keys === 0 && draft.mayRepair && input.code() === OPEN_BRACE) {
      // JSON where tags should be.
      draft.repair('json-body')
      return yield* readArguments(input, draft)
    }
    const read = yield* readOne(reading, special, next, members.first)
    if (!read && !(yield* skipOne(reading, members.first))) {
      return draft.fail(input.finished ? 'cut' : 'syntax', 'an argument')
    }
  }
  return true
}

const OPEN_BRACE = 123

export function printMembers({ call, wire }: Printing, members: MemberPictures): string {
  const { pictures, separator } = members
  return Object.entries(call.args)
    .map((entry) => {
      const fitting = pictures.find((picture) => carries(picture, members, entry[1]))
      return wire(fitting ?? pictures[0]!, entry)
    })
    .join(separator)
}

/** Whether a value can stand in a picture: it does not hold what ends it there, nor what only special ones can carry. */
function carries(picture: Wire, { pictures, avoid }: MemberPictures, value: unknown): boolean {
  const text = typeof value === 'string' ? value : spaced(value)
  const closing = picture.at(-1)
  if (typeof closing === 'string' && text.includes(tokens(closing)[0]!)) return false
  return picture !== pictures[0] || !avoid.some((mark) => text.includes(mark))
}

/** Skip what separates arguments, then tell whether another one follows. */
function* another(
  { input, draft, stops, outer, later }: Reading,
  first: Marks,
  between: readonly string[],
): Reader<boolean> {
  yield* layout(input, draft)
  for (const token of between) yield* eat(input, token)
  yield* layout(input, draft)
  if (yield* anyAhead(input, stops)) return false
  const marks = stops.join(later).join(first)
  if (!(yield* anyAhead(input, marks)) && input.length > 0 && input.match(marks) === 'part') {
    // The reply was cut inside a mark: one that closes, or one that begins another argument.
    draft.closed = input.match(first) !== 'part'
    input.cursor = input.end
  }
  if (!draft.mayRepair) return input.length > 0
  if (outer && (yield* anyAhead(input, outer))) return false
  if (draft.keys > 0 && (yield* anyAhead(input, later))) return false
  return input.length > 0
}

/** An argument that begins as one should and has no value is passed over, up to the next one or to what ends them all. */
function* skipOne({ input, draft, stops, later }: Reading, siblings: Marks): Reader<boolean> {
  if (!draft.mayRepair || draft.inValue || input.match(siblings) !== 'all') return false
  const place = input.hold()
  const before = input.fence(place + MAX_SKIPPED)
  input.cursor += siblings.lengthAt(input.buffer, input.cursor, input.end)
  const from = input.place
  const found = yield* until(input, siblings.join(stops).join(later))
  input.fence(before)
  // With more in it than a name, a value would be lost.
  const skipped = found && !HOLDS_MORE.test(input.since(from).replace(TAGS, '').trim())
  if (skipped) input.release()
  else input.back()
  return skipped && draft.repair('missing-value')
}

const MAX_SKIPPED = 1 << 10
const TAGS = /<[^<>]*>/g
const HOLDS_MORE = /[\s>]/

/** One argument, in the first picture that fits as far as its value. */
function* readOne(
  reading: Reading,
  pictures: readonly Wire[],
  next: Marks,
  siblings: Marks,
): Reader<boolean> {
  const { input, draft } = reading
  for (const picture of pictures) {
    draft.inValue = false
    input.hold()
    if (yield* reading.wire(picture, next, siblings)) {
      input.release()
      return true
    }
    if (draft.inValue) {
      input.release()
      return false
    }
    input.back()
  }
  return false
}
