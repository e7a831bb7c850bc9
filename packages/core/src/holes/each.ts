import type { Hole, Printing, Reading } from '../hole.ts'
import { readArguments } from '../json/arguments.ts'
import { starts, tokens } from '../read/compile.ts'
import type { Reader } from '../read/input.ts'
import { Marks } from '../read/marks.ts'
import { anyAhead, eat, space } from '../read/readers.ts'
import type { Wire } from '../wire.ts'

/**
 * The same picture once per argument. Of several pictures, the first that can carry a value is printed; the later
 * ones are the more special and are tried first in reading.
 */
export function each(of: Wire | readonly Wire[], options: { separator?: string } = {}): Hole {
  const members = membersOf(of, options)
  return {
    optional: true,
    starts: () => members.starts,
    *read(reading) {
      if (!(yield* readMembers(reading, members))) return false
      reading.draft.finishArguments()
      return true
    },
    print: (printing) => printMembers(printing, members),
  }
}

/** The pictures of an argument, and what stands between two. */
export interface MemberPictures {
  readonly pictures: readonly Wire[]
  readonly separator: string
  readonly starts: readonly string[]
  readonly first: Marks
}

export function membersOf(
  of: Wire | readonly Wire[],
  { separator = '' }: { separator?: string },
): MemberPictures {
  const pictures = Array.isArray(of[0]) ? (of as readonly Wire[]) : [of as Wire]
  return {
    pictures,
    separator,
    starts: pictures.flatMap((picture) => starts(picture).marks),
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
  draft.begin()
  draft.closed = true
  while (yield* another(reading, between)) {
    if (draft.keys === 0 && draft.mends && input.code() === OPEN_BRACE) {
      // JSON where tags should be.
      draft.mend('json-body')
      return yield* readArguments(input, draft)
    }
    if (!(yield* readOne(reading, special, next))) {
      return draft.fail(input.ended ? 'cut' : 'syntax', 'an argument')
    }
  }
  return true
}

const OPEN_BRACE = 123

export function printMembers(
  { call, wire }: Printing,
  { pictures, separator }: MemberPictures,
): string {
  return Object.entries(call.args)
    .map((entry) => {
      const fitting = pictures.find((picture) => carries(picture, entry[1]))
      return wire(fitting ?? pictures[0]!, entry)
    })
    .join(separator)
}

/** Whether a value can stand in a picture: it does not hold what ends it there. */
function carries(picture: Wire, value: unknown): boolean {
  if (typeof value !== 'string') return true
  const closing = picture.at(-1)
  return typeof closing !== 'string' || !value.includes(tokens(closing)[0]!)
}

/** Skip what separates arguments, then tell whether another one follows. */
function* another(
  { input, draft, stops, outer }: Reading,
  between: readonly string[],
): Reader<boolean> {
  yield* space(input)
  for (const token of between) yield* eat(input, token)
  yield* space(input)
  if (yield* anyAhead(input, stops)) return false
  if (outer && draft.mends && (yield* anyAhead(input, outer))) return false
  return input.length > 0
}

/** One argument, in the first picture that fits as far as its value. */
function* readOne(reading: Reading, pictures: readonly Wire[], next: Marks): Reader<boolean> {
  const { input, draft } = reading
  for (const picture of pictures) {
    draft.inValue = false
    input.hold()
    if (yield* reading.wire(picture, next)) {
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
