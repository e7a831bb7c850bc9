import type { Hole, Reading } from '../hole.ts'
import { readArguments } from '../json/arguments.ts'
import { BACKSLASH, OPEN } from '../json/text.ts'
import { closingTag } from '../read/picture.ts'
import { starts, tokens } from '../read/compile.ts'
import { wiresOf } from '../read/grammar.ts'
import { type Lookahead, UNSURE } from '../read/lookahead.ts'
import type { Reader } from '../read/input.ts'
import { Marks } from '../read/marks.ts'
import {
  anyAhead,
  eat,
  eatAny,
  layout,
  skipText,
  some,
  space,
  STRAY_TEXT,
  until,
} from '../read/readers.ts'
import type { Wire } from '../wire.ts'

/**
 * Repeats a picture for each argument. Of several pictures, the first that can represent the value
 * is printed. Readers try them in reverse, since later ones are more specific. With `repair`, the
 * surrounding picture is damaged, and the hole is read only with that repair.
 */
export function each(
  of: Wire | readonly Wire[],
  options: { separator?: string; avoid?: readonly string[]; repair?: string } = {},
): Hole {
  const { repair } = options
  const members = membersOf(of, options)
  return {
    optional: true,
    starts: () => members.starts,
    around: () => members.around,
    *read(reading) {
      const { builder } = reading
      if (repair && !(builder.mayRepair && builder.repair(repair))) return false
      if (!(yield* readMembers(reading, members))) return false
      builder.finishArguments(false, yield* anyAhead(reading.input, reading.stops))
      return true
    },
    lookahead(look, from) {
      if (repair && !look.mayRepair) return look.end(from)
      return lookAheadAtMembers(look, from, members)
    },
    print: (printing) => printing.write.members(printing, members),
  }
}

/** The pictures of an argument, and the separator of arguments. */
export interface MemberPictures {
  readonly pictures: readonly Wire[]
  readonly separator: string
  /** Text that a value may contain only in one of the more specific pictures. */
  readonly avoid: readonly string[]
  readonly starts: readonly string[]
  /** All text around keys and values. */
  readonly around: readonly string[]
  /** The text before the first hole of each picture. */
  readonly first: Marks
  /** The first marks of all pictures, unless one of them begins with a hole. */
  readonly begins: Marks | undefined
  /** The tags that close an argument. Empty if arguments are not drawn as tags. */
  readonly closers: Marks
  /**
   * Pictures with separate tags for key and value, in which one of the two tags between them is
   * missing or damaged.
   */
  readonly unclosed: readonly Wire[]
  readonly unopened: readonly Wire[]
  /** The tags that open a value. */
  readonly openers: Marks
}

/** Prepares the pictures of an argument. */
export function membersOf(
  of: Wire | readonly Wire[],
  { separator = '', avoid = [] }: { separator?: string; avoid?: readonly string[] },
): MemberPictures {
  const pictures = wiresOf(of)
  const closers = pictures.flatMap((picture) => tokens(picture.at(-1)).slice(0, 1))
  const apart = pictures.flatMap(tagsBetween)
  return {
    pictures,
    separator,
    avoid,
    starts: pictures.flatMap((picture) => starts(picture).marks),
    around: pictures
      .flat()
      .flatMap((part) => (typeof part === 'string' ? starts([part]).marks : [])),
    // Includes all of that text, since a value may contain the beginning of a tag.
    first: new Marks(pictures.map(([part]) => (typeof part === 'string' ? part : ''))),
    begins: pictures.every(([part]) => tokens(part).length > 0)
      ? new Marks(
          pictures.flatMap(([part]) => tokens(part).slice(0, 1)),
          true,
        )
      : undefined,
    closers: new Marks(closers.filter((closer) => closer.startsWith('</'))),
    unclosed: apart.map(({ picture, opener }) => replaced(picture, opener)),
    unopened: apart.flatMap(({ picture, closer, opener }) =>
      [opener.slice(1), opener.slice(0, -1), ''].map((rest) => replaced(picture, closer + rest)),
    ),
    openers: new Marks(apart.map(({ opener }) => opener)),
  }
}

/** A picture with other text between its key and its value. */
function replaced(picture: Wire, between: string): Wire {
  return picture.map((part, i) => (i === picture.length - 3 ? between : part))
}

/**
 * The tags between a key and a value that each have their own tag:
 * `<arg_key>…</arg_key><arg_value>…</arg_value>`.
 */
function tagsBetween(picture: Wire): { picture: Wire; closer: string; opener: string }[] {
  const between = picture.at(-3)
  if (typeof between !== 'string') return []
  const at = between.lastIndexOf('<')
  const [closer, opener] = [between.slice(0, at), between.slice(at)]
  const apart = at > 0 && opener.replace('<', '</') === tokens(picture.at(-1))[0]
  return apart ? [{ picture, closer, opener }] : []
}

/**
 * Reads arguments up to the text that follows the last one. After true, the caller still has to
 * finish the arguments.
 */
export function* readMembers(reading: Reading, members: MemberPictures): Reader<boolean> {
  const { input, builder, stops } = reading
  const { first, closers, pictures, separator } = members
  const next = stops.join(first)
  const between = tokens(separator)
  const special = [...pictures].reverse()
  builder.closed = true
  if (!closers.empty) builder.skipStray = (closer) => skipStray(reading, new Marks([closer]))
  while (yield* another(reading, first, between)) {
    if (builder.keys === 0 && builder.mayRepair && input.code() === OPEN) {
      // The arguments are JSON instead of tags.
      builder.repair('json-body')
      builder.closed = false
      return yield* readArguments(input, builder)
    }
    const place = input.hold()
    const read = yield* readOne(reading, special, next, first)
    if (read) yield* skipDoubled(reading, closers, place)
    input.release()
    if (read) continue
    const slips = builder.mayRepair && !builder.inValue
    if (slips && (yield* readSlip(reading, members, next))) continue
    if (slips && (yield* endsWrongly(reading, closers))) return true
    return builder.fail(input.finished ? 'cut' : 'syntax', 'an argument')
  }
  return true
}

/**
 * Tests whether arguments may begin here. If another block begins instead, there is nothing to
 * repair.
 */
function lookAheadAtMembers(look: Lookahead, from: number, members: MemberPictures): number {
  const { input, stops } = look
  const { separator, begins, openers } = members
  if (separator !== '' || !begins || !openers.empty || look.around) return UNSURE
  const at = look.visible(from)
  if (at < 0 || input.code(at) === BACKSLASH || input.code(at) === OPEN) return Math.min(at, UNSURE)
  const [ends, over, begun] = [
    look.input.match(stops, at),
    look.isOver(at),
    look.input.match(begins, at),
  ]
  if ([ends, over, begun].includes('part')) return look.more
  if (ends === 'all' || begun === 'all' || (look.mayRepair && over === 'none')) return UNSURE
  return look.refuse('an argument', at, input.finished ? 'cut' : 'syntax')
}

/** Reads a damaged argument, or skips text between arguments. */
function* readSlip(reading: Reading, members: MemberPictures, next: Marks): Reader<boolean> {
  const { first, closers } = members
  if (yield* readApart(reading, members, next)) return true
  if (yield* skipOne(reading, members)) return true
  // If no argument was read, text before the end may be one.
  const ends = reading.builder.keys > 0 ? next : first
  return !closers.empty && (yield* skipStray(reading, ends, next.join(closers)))
}

/** Skips the separator of arguments. Returns true if another argument follows. */
function* another(
  { input, builder, stops, outer, later }: Reading,
  first: Marks,
  between: readonly string[],
): Reader<boolean> {
  yield* layout(input, builder)
  for (const token of between) yield* eat(input, token)
  yield* layout(input, builder)
  if (yield* anyAhead(input, stops)) return false
  const marks = stops.join(later).join(first)
  if (!(yield* anyAhead(input, marks)) && input.length > 0 && input.match(marks) === 'part') {
    // The reply was cut off inside a mark that closes the arguments or begins the next one.
    builder.closed = input.match(first) !== 'part'
    input.cursor = input.end
  }
  if (!builder.mayRepair) return input.length > 0
  if (outer && (yield* anyAhead(input, outer))) return false
  if (builder.keys > 0 && (yield* anyAhead(input, later))) return false
  return input.length > 0
}

/**
 * Skips an argument that begins correctly but has no value, up to the next argument or the end of
 * all.
 */
function* skipOne(
  { input, builder, stops, later }: Reading,
  { first: siblings, closers }: MemberPictures,
): Reader<boolean> {
  if (input.match(siblings) !== 'all') return false
  const start = input.hold()
  input.cursor += siblings.lengthAt(input)
  const from = input.place
  const found = yield* skipText(input, siblings.join(stops).join(later).join(closers))
  builder.written = true
  // Skipping more than a name would lose a value.
  const valued = input.match(closers) === 'all'
  const skipped = found && !valued && !HOLDS_MORE.test(input.since(from).replace(TAGS, '').trim())
  if (skipped) input.release()
  else input.back()
  return skipped && builder.repair('missing-value', start, '')
}

/**
 * Reads an argument without one of the tags between its key and its value:
 * `<arg_key>city</arg_key>Paris</arg_value>`.
 */
function* readApart(reading: Reading, members: MemberPictures, next: Marks): Reader<boolean> {
  const { input, builder } = reading
  const { first, closers, openers, unclosed, unopened } = members
  if (openers.empty) return false
  const start = input.hold()
  yield* eatAny(input, first)
  yield* until(input, next.join(openers).join(closers))
  const opened = input.match(openers) === 'all'
  const closed = input.match(closers) === 'all'
  const at = input.place
  input.back()
  if (opened)
    return (
      (yield* readOne(reading, unclosed, next, first)) &&
      builder.repair('missing-closer', at, undefined, at)
    )
  if (!closed || builder.repairs.includes('missing-opener')) return false
  return (
    (yield* readOne(reading, unopened, next, first)) &&
    builder.repair('missing-opener', start, undefined, at)
  )
}

/**
 * Skips a second closing tag after the argument at `place`, unless its opening tag was doubled too.
 */
function* skipDoubled({ input, builder }: Reading, closers: Marks, place: number): Reader<void> {
  yield* layout(input, builder)
  if (!(yield* anyAhead(input, closers)) || !builder.mayRepair) return
  const closer = input.peek(closers.lengthAt(input))
  const opened = input.since(place).split(closer.replace('/', '').slice(0, -1)).length - 1
  if (opened > 1 || builder.repairs.includes('doubled-closer')) return
  input.cursor += closer.length
  builder.repair('doubled-closer', input.place - closer.length, '')
}

/**
 * Skips text up to one of `ends`, at most once per call, and fails if a mark in `others` comes
 * first.
 */
function* skipStray(
  { input, builder, later }: Reading,
  ends: Marks,
  others?: Marks,
): Reader<boolean> {
  if (builder.repairs.includes(STRAY_TEXT)) return false
  const from = input.hold()
  const found = yield* skipText(input, ends.join(others).join(later))
  const stray = found && input.match(ends) === 'all' && builder.repair(STRAY_TEXT, from, '')
  if (stray) input.release()
  else input.back()
  return stray
}

/** True if a wrong closing tag is here, followed only by another block. */
function* endsWrongly({ input, builder, later }: Reading, closers: Marks): Reader<boolean> {
  if (builder.keys === 0 || closers.empty || (yield* anyAhead(input, closers))) return false
  input.hold()
  const closes = yield* closingTag(input)
  yield* space(input)
  const ends = closes && (!(yield* some(input)) || (yield* anyAhead(input, later)))
  input.back()
  return ends
}

const TAGS = /<[^<>]*>/g
const HOLDS_MORE = /[\s>]/

/** Reads one argument up to its value, in the first picture that matches. */
function* readOne(
  reading: Reading,
  pictures: readonly Wire[],
  next: Marks,
  siblings: Marks,
): Reader<boolean> {
  const { input, builder } = reading
  for (const picture of pictures) {
    builder.inValue = false
    input.hold()
    if (yield* reading.wire(picture, next, siblings)) {
      input.release()
      return true
    }
    if (builder.inValue) {
      input.release()
      return false
    }
    input.back()
  }
  return false
}
