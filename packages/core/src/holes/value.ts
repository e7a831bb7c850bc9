import type { Hole, Reading } from '../hole.ts'
import { spaced } from '../print/spaced.ts'
import { jsonContent } from '../python/value.ts'
import type { Draft } from '../read/draft.ts'
import type { Reader } from '../read/input.ts'
import { Marks } from '../read/marks.ts'
import { Pieces } from '../read/pieces.ts'
import { eat, until } from '../read/readers.ts'
import { refuses } from '../schema/property.ts'
import { isText, readTextValue } from '../schema/text-value.ts'

/** How a value is written where it is text: some marks in it may stand for others. */
export interface ValueOptions {
  /** What stands for what: `[written, meant]`. */
  readonly escapes?: readonly (readonly [written: string, meant: string])[]
  /** Only its own closing mark ends it: everything else may stand in it. */
  readonly anything?: true
  /** What a value is where neither the schema nor the picture says: text, or JSON if it can be read as that. */
  readonly untyped?: 'text' | 'json'
}

/** One argument's value as text, up to the text that follows; only inside `each`. The tool's schema says what it is. */
export function value({ escapes = [], anything, untyped = 'text' }: ValueOptions = {}): Hole {
  const written = new Marks(escapes.map(([mark]) => mark))
  return {
    *read(reading) {
      const outer = anything ? undefined : reading.outer
      return yield* readValue(reading, outer, untyped, escapes, written)
    },
    print: ({ entry }) => {
      const plain = entry![1]
      const text = typeof plain === 'string' ? plain : spaced(plain)
      return escapes.reduce((done, [mark, meant]) => done.replaceAll(meant, () => mark), text)
    },
  }
}

/** A declared string goes out as it arrives; anything else is read whole, then typed. */
function* readValue(
  { input, draft, stops, before, after }: Reading,
  outer: Marks | undefined,
  untyped: 'text' | 'json',
  escapes: readonly (readonly [string, string])[],
  written: Marks,
): Reader<boolean> {
  yield* eat(input, before)
  draft.closed = false
  draft.inValue = true
  const reserved = draft.reserved?.(draft.key) ?? wrapping(draft) ?? refused(draft)
  if (!reserved) draft.member(draft.key)
  const { parameters, kind } = draft
  draft.kind = 'schema'
  const schema = draft.schemaOf(draft.key)
  const plain = isText(kind, untyped, schema, parameters)
  const held = reserved || !plain ? new Pieces() : undefined
  const give = held
    ? (text: string): void => held.add(text)
    : (text: string): void => draft.write(jsonContent(text))
  if (!held) draft.write('"')

  const around = draft.mends ? outer : undefined
  const ends = stops.behind(after)
  const marks = ends.join(around?.behind(after)).join(written)
  for (;;) {
    if (!(yield* until(input, marks, give))) return draft.fail('cut', 'the rest of the value')
    const escape = escapes.find(([mark]) => input.compare(mark) === 'all')
    if (!escape) break
    input.cursor += escape[0].length
    give(escape[1])
  }
  if (around && input.match(ends) !== 'all') {
    draft.unclosed = true
    draft.mend('missing-closer')
  }
  draft.closed = true
  if (!held) draft.write('"')
  else if (reserved) return reserved(held.toString())
  else {
    const { value: read, note } = readTextValue(held.toString(), kind, schema, parameters)
    if (note) draft.mend(note)
    draft.write(JSON.stringify(read))
  }
  return true
}

/** An argument that may hold all of them waits for what follows. */
function wrapping(draft: Draft): ((text: string) => boolean) | undefined {
  const { key } = draft
  if (!draft.mayWrap(key)) return undefined
  return (text) => {
    draft.wrap(key, text)
    return true
  }
}

/** An argument that the tool's schema refuses is left out, and that is said. */
function refused(draft: Draft): (() => boolean) | undefined {
  if (!draft.mends || !refuses(draft.parameters, draft.key)) return undefined
  return () => draft.mend('unknown-key')
}
