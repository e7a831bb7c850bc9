import type { Hole, Reading } from '../hole.ts'
import { jsonContent } from '../json/text.ts'
import type { Schema } from '../protocol.ts'
import { type Reader, Pieces } from '../read/input.ts'
import { Marks } from '../read/marks.ts'
import { eat, until } from '../read/readers.ts'
import { coerceText } from '../schema/coerce.ts'
import { itemsOf, declares } from '../schema/property.ts'
import { isText, readTextValue, type Untyped } from '../schema/text-value.ts'
import { typesOf } from '../schema/types.ts'
import { ValueEnd } from './value-end.ts'
import type { CallBuilder } from '../read/call-builder.ts'
import { isSchema } from '../schema/resolve.ts'

/** Names of a single argument in which models put all arguments. */
const WRAPPERS = new Set(['arguments', 'input', 'parameters', 'properties', 'args'])

/** The format of a value. */
export interface ValueOptions {
  /** Escapes in a value: `[written, meant]`. */
  readonly escapes?: readonly (readonly [written: string, meant: string])[] | undefined
  /** True if the end of the call always ends the value. */
  readonly bounded?: true | undefined
  /** True if only the value's own closing mark ends it, so it may contain anything else. */
  readonly anything?: true | undefined
  /** The type of a value if neither the schema nor the picture specifies one. Default: text. */
  readonly untyped?: Untyped | undefined
  /** The spelling of true, false and null: as in JSON or as in Python. */
  readonly words?: 'json' | 'python' | undefined
}

/**
 * One argument's value as text, up to the text after the hole. Allowed only inside `each`. The
 * tool's schema determines its type.
 */
export function value({
  escapes = [],
  anything,
  bounded,
  untyped = 'text',
  words = 'json',
}: ValueOptions = {}): Hole {
  const written = new Marks(escapes.map(([mark]) => mark))
  return {
    read(reading) {
      const outer = anything ? undefined : reading.outer
      return readValue(reading, outer, { untyped, bounded, escapes, written })
    },
    print: ({ entry, write }) => {
      const plain = entry![1]
      const text = words === 'python' ? write.pythonWords(plain) : write.text(plain)
      return escapes.reduce((done, [mark, meant]) => done.replaceAll(meant, () => mark), text)
    },
  }
}

interface ValueFormat {
  readonly untyped: Untyped
  readonly bounded: true | undefined
  readonly escapes: readonly (readonly [string, string])[]
  readonly written: Marks
}

/** Reads a value. A declared string is streamed; any other value is read whole and then typed. */
function* readValue(
  reading: Reading,
  outer: Marks | undefined,
  { untyped, bounded, escapes, written }: ValueFormat,
): Reader<boolean> {
  const { input, builder, before } = reading
  yield* eat(input, before)
  builder.closed = false
  builder.inValue = true
  const own = builder.reserved?.(builder.key)
  const reserved = own ?? wrapping(builder)
  if (!own) builder.written = true
  const { key, parameters, kind } = builder
  builder.kind = 'schema'
  const schema = builder.schemaOf(key)
  const repeatable = !reserved && builder.repairsEnabled && isList(schema, parameters)
  if (!reserved && !repeatable) builder.member(key)
  const plain = isText(kind, untyped, schema, parameters)
  const held = reserved || !plain ? new Pieces() : undefined
  const give = held
    ? (text: string): void => held.add(text)
    : (text: string): void => builder.write(jsonContent(text))
  if (!held) builder.write('"')

  const from = input.place
  const end = new ValueEnd(reading, outer, bounded)
  const marks = end.marks.join(written)
  for (;;) {
    if (!(yield* until(input, marks, give))) return end.never()
    const escape = escapes.find(([mark]) => input.compare(mark) === 'all')
    if (escape) {
      input.cursor += escape[0].length
      give(escape[1])
      continue
    }
    const content = yield* end.here()
    if (content === 0) break
    if (content < 0) return end.never()
    give(input.take(content))
  }
  builder.closed = true
  if (!held) {
    builder.write('"')
    return true
  }
  const text = held.toString()
  if (reserved) return reserved(text)
  const to = input.place
  const tryRepair = (repair: string): boolean =>
    builder.repairsEnabled && builder.repair(repair, from, true, to)
  const typed = (written: string, as: Schema | undefined): unknown => {
    let converted = false
    const { value: made, note } = readTextValue(written, kind, as, parameters, {
      untyped,
      tryRepair,
      noteChange: (change, old, name) => {
        if (old === undefined) converted = true
        else builder.repair(change, old, name, to)
      },
    })
    if (note === 'mistyped' || converted) builder.repair(note!, from, made, to)
    return made
  }
  const write = (made: unknown): void => {
    if (repeatable) builder.member(key)
    builder.write(JSON.stringify(made))
  }
  if (!repeatable || isListText(text, schema, parameters!)) write(typed(text, schema))
  else
    builder.collect(key, text, (texts) => {
      const items = itemsOf(schema, parameters)
      if (texts.length === 1 || !builder.repair('repeated-argument', key, undefined, from))
        for (const one of texts) write(typed(one, schema))
      else write(texts.map((one) => typed(one, items)))
    })
  return true
}

/** True if the schema declares a list. Then several arguments with the same name are its items. */
function isList(schema: Schema | undefined, root: Schema | undefined): boolean {
  return !!root && !!typesOf(schema, root)?.has('array')
}

/** True if a string is a complete list. */
function isListText(text: string, schema: Schema | undefined, root: Schema): boolean {
  return Array.isArray(coerceText(text, schema, root)?.value)
}

/**
 * Takes a value that may contain all arguments, under a name that the tool does not declare:
 * `<parameter name="arguments">{…}`. The value is kept until it is clear that no other argument
 * follows. Undefined if this argument is not such a wrapper.
 */
function wrapping(builder: CallBuilder): ((text: string) => boolean) | undefined {
  const { key, kind, parameters, place } = builder
  const first = builder.keys === 0 && !builder.waiting
  if (!builder.repairsEnabled || !first || !WRAPPERS.has(key)) return undefined
  if (!parameters || declares(parameters, key)) return undefined
  return (text) => {
    builder.waiting = (last) => {
      const all = last && unwrapped(text, parameters)
      if (all) builder.repair('wrapped-arguments', key, '', place)
      const value = readTextValue(text, kind, builder.schemaOf(key), parameters).value
      builder.writeMembers(all ? builder.typed(all) : { [key]: value })
    }
    return true
  }
}

function unwrapped(text: string, parameters: Schema): Record<string, unknown> | undefined {
  const { value } = readTextValue(text, 'json', undefined, undefined)
  return isSchema(value) && Object.keys(value).every((key) => declares(parameters, key))
    ? value
    : undefined
}
