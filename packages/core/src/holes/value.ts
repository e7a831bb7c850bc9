import type { Hole, Reading } from '../hole.ts'
import { spaced } from '../print/spaced.ts'
import { jsonContent } from '../python/value.ts'
import type { Reader } from '../read/input.ts'
import { Marks } from '../read/marks.ts'
import { Pieces } from '../read/pieces.ts'
import { eat, until } from '../read/readers.ts'
import { coerceText } from '../schema/coerce.ts'
import { typesOf } from '../schema/types.ts'

/** How a value is written where it is text: some marks in it may stand for others. */
export interface ValueOptions {
  /** What stands for what: `[written, meant]`. */
  readonly escapes?: readonly (readonly [written: string, meant: string])[]
  /** Only its own closing mark ends it: everything else may stand in it. */
  readonly anything?: true
}

/** One argument's value as text, up to the text that follows; only inside `each`. The tool's schema says what it is. */
export function value({ escapes = [], anything }: ValueOptions = {}): Hole {
  const written = new Marks(escapes.map(([mark]) => mark))
  return {
    *read(reading) {
      const outer = anything ? undefined : reading.outer
      return yield* readValue(reading, outer, escapes, written)
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
  { input, draft, ends, before }: Reading,
  outer: Marks | undefined,
  escapes: readonly (readonly [string, string])[],
  written: Marks,
): Reader<boolean> {
  yield* eat(input, before)
  draft.closed = false
  draft.inValue = true
  const reserved = draft.reserved?.(draft.key)
  if (!reserved) draft.member(draft.key)
  const { parameters } = draft
  const schema = draft.schemaOf(draft.key)
  const types = parameters && typesOf(schema, parameters)
  const isText = !types || (types.size === 1 && types.has('string'))
  const held = reserved || !isText ? new Pieces() : undefined
  const give = held
    ? (text: string): void => held.add(text)
    : (text: string): void => draft.write(jsonContent(text))
  if (!held) draft.write('"')

  const around = draft.mends ? outer : undefined
  const marks = ends.join(around).join(written)
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
    const text = held.toString()
    const typed = coerceText(text, schema, parameters!)
    if (!typed) draft.mend('mistyped')
    else if (typed.changed) draft.mend('coerced')
    draft.write(JSON.stringify(typed ? typed.value : text))
  }
  return true
}
