// Folder: The holes of pictures: each reads and prints one kind of content.
import type { Hole, Reading } from '../hole.ts'
import type { Schema } from '../protocol.ts'
import type { CallBuilder } from '../read/call-builder.ts'
import { type Input, type Reader, Pieces } from '../read/input.ts'
import { isName, readLabel } from '../read/label.ts'
import { Marks } from '../read/marks.ts'
import { attempt, eat, lookAhead, space, STRAY_TEXT, until } from '../read/readers.ts'
import { meantKey } from '../read/names.ts'
import { declares, propertiesOf, propertyOf, requiredOf } from '../schema/property.ts'
import { typesOf } from '../schema/types.ts'
import {
  type Dialect,
  type Element,
  elementsOf,
  membersOf,
  openElement,
  plain,
  type Slips,
} from '../xml/elements.ts'
import { isDamaged } from './value-end.ts'
import { asObject, readYaml } from '../yaml/read.ts'

/**
 * All arguments as elements named after them, nested like their values. `prefix` precedes every
 * tag.
 */
export function elements({ prefix }: { prefix: string }): Hole {
  const dialect: Dialect = { prefix, untyped: 'text', repeated: 'list', entities: false }
  return {
    optional: true,
    starts: () => [`${prefix}<`],
    *read({ input, builder, stops, outer }) {
      const from = input.place
      const body = yield* readBody(input, builder, stops.join(outer))
      const slips: Slips = new Map()
      const { found, rest } = elementsOf(body.text, prefix, builder.mayRepair ? slips : undefined)
      const fits = rest === undefined && (slips.size === 0 || found.length > 0)
      if (body.ended && !fits) return builder.fail('syntax', 'one tag per argument')
      record(builder, slips, from)
      builder.writeAll(membersOf(found, builder.parameters, builder.parameters, dialect))
      builder.closed = rest === undefined
      return body.ended || builder.fail('cut', 'the closing tag')
    },
    print: ({ call, write }) => write.elements(call.args, dialect, ''),
  }
}

/**
 * The form of a call in `toolElement`. `name` is only the tool's name before `next`, after an
 * `opener` that is wrong.
 */
export type ToolElement =
  | { readonly body: 'elements' | 'yaml' | 'bare' }
  | { readonly body: 'name'; readonly opener: string; readonly next: string }

/**
 * A whole call as an element named after the tool, with the arguments as elements or as YAML.
 * `bare` has no tag for the tool, but its name on a line and then an element for each argument.
 * `name` is only the name.
 */
export function toolElement(drawn: ToolElement): Hole {
  const { body } = drawn
  if (body === 'name') return misopened(drawn.opener, drawn.next)
  if (body === 'bare') return bareElement
  return {
    marked: true,
    starts: (names) =>
      (names ?? []).flatMap((name) => [`<${name}>`, `<${name} `, `<${name}/`, `<${name}\n`]),
    around: (names) => names.map((name) => `</${name}>`),
    read: (reading) => readToolElement(reading, body),
    print: ({ call, write }) => {
      const inner =
        body === 'yaml' ? write.yaml(call.args, '') : write.elements(call.args, XML, '\n')
      const name = write.element(call.name)
      return `<${name}>\n${inner}\n</${name}>`
    },
  }
}

const bareElement: Hole = {
  marked: true,
  starts: (names) => (names ?? []).flatMap((name) => [`${name}\n<`, `${name}:\n<`]),
  *read({ input, builder, stopped }) {
    const name = yield* readLabel(input, NAME_ENDS, isName)
    const schema = name === undefined ? undefined : builder.tools?.get(name)?.parameters
    if (name === undefined || !schema) return builder.fail('no-name', "a tool's name")
    yield* eat(input, ':')
    const found: Element[] = []
    for (let one; (one = yield* attempt(input, readDeclared(input, builder, schema)));)
      found.push(one)
    // If the reply was cut off inside an argument, all remaining text is part of it.
    if (builder.openEnded && !stopped()) input.cursor = input.end
    if (found.length === 0 || isAmbiguous(found, schema)) {
      return builder.fail(input.over ? 'cut' : 'syntax', 'one tag per argument')
    }
    input.hold()
    yield* space(input)
    // Another argument may have started.
    builder.openEnded = input.finished && (input.length === 0 || input.code() === LESS)
    if (yield* eat(input, `</${name}>`)) input.release()
    else input.back()
    if (!builder.setName(name)) return false
    builder.writeAll(membersOf(found, schema, schema, XML))
    builder.closed = true
    return true
  },
  print: () => '',
}

/** Reads an element named after a declared argument. */
function* readDeclared(
  input: Input,
  builder: CallBuilder,
  schema: Schema,
): Reader<Element | undefined> {
  yield* space(input)
  const name = (yield* eat(input, '<')) ? yield* readLabel(input, TAG_END, isName) : undefined
  if (name !== undefined && declares(schema, name) && (yield* eat(input, '>'))) {
    const close = `</${name}>`
    const { text, ended } = yield* readBody(input, builder, new Marks([close]))
    if (ended) {
      input.cursor += close.length
      return { name, inner: text }
    }
    builder.openEnded = input.finished
  }
  return undefined
}

const NAME_ENDS = new Marks([':', '\n'])
const TAG_END = new Marks(['>'])

const XML: Dialect = { prefix: '', untyped: 'json', repeated: 'last', entities: true }

/** The content of a call's element. */
interface Body {
  readonly text: string
  /** True if the closing tag was read. */
  readonly ended: boolean
}

type Arguments = { readonly args: Record<string, unknown>; readonly repairs?: Slips } | undefined

/**
 * Announces the call only after all of it is read, because another protocol may use tags of the
 * same name.
 */
function* readToolElement({ input, builder }: Reading, kind: keyof typeof READ): Reader<boolean> {
  yield* eat(input, '<')
  const label = yield* readLabel(input, TAG_ENDS, isName)
  if (label === undefined) return builder.fail('no-name', "a tool's name")
  const name = meantKey(label)
  const schema = builder.tools?.get(name)?.parameters
  const from = input.place
  yield* space(input)
  const lines = input.since(from).includes('\n')
  const empty = yield* eat(input, '/>')
  const damaged = !empty && !(yield* eat(input, '>'))
  // `<get_weather`, with the arguments on separate lines, and `/>`
  if (damaged && !(lines && builder.mayRepair)) return builder.fail('syntax', '">"')
  if (
    !empty &&
    !(yield* lookAhead(input, begins(input, kind))) &&
    (damaged || !(builder.mayRepair && textKey(schema)))
  ) {
    return builder.fail('syntax', 'the arguments')
  }
  const close = `</${label}>`
  const stops = new Marks([
    close,
    ...(damaged ? ['\n/>'] : []),
    ...(builder.mayRepair ? [`</ ${label}>`] : []),
  ])
  const start = input.place
  const body = empty ? NOTHING : yield* readBody(input, builder, stops)
  if (damaged && !body.ended) return builder.fail('cut', close)
  const found = READ[kind](
    body.ended ? body : cutBody(body.text, close),
    schema,
    builder.mayRepair && !damaged,
  )
  if (!found) return builder.fail(body.ended ? 'syntax' : 'cut', 'the arguments')
  if (!builder.setName(name)) return false
  if (damaged) builder.repair('damaged-opener', undefined, undefined, start)
  if (!empty && body.ended && !(yield* eat(input, close))) {
    const end = input.place
    input.cursor += stops.lengthAt(input)
    if (!damaged) builder.repair('damaged-closer', end, close)
  }
  record(builder, found.repairs, start)
  builder.writeAll(found.args)
  builder.closed = kind === 'elements' || body.ended || endsLine(cutBody(body.text, close).text)
  return body.ended || builder.fail('cut', close)
}

/**
 * True if YAML can end after this line. A line may continue, and a colon, a dash or a block sign
 * must be followed by a value.
 */
function endsLine(text: string): boolean {
  return text.endsWith('\n') && !/[:|>+-]/.test(text.trimEnd().slice(-1))
}

/** Records the text skipped in a body that begins at `from`. */
function record(builder: CallBuilder, slips: Slips | undefined, from: number): void {
  for (const [slip, [at, to]] of slips ?? []) builder.repair(slip, from + at, undefined, from + to)
}

/** Tests whether arguments may begin here, so that prose about a tag is not held back. */
function* begins(input: Input, kind: keyof typeof READ): Reader<boolean> {
  yield* space(input)
  const code = input.code()
  if (code === LESS || kind !== 'yaml') return code === LESS
  return code === HASH || (yield* readLabel(input, COLON, isOneLine)) !== undefined
}

const HASH = 35
const LESS = 60
const COLON = new Marks([':'])
const isOneLine = (text: string): boolean => !text.includes('\n')

const NOTHING: Body = { text: '', ended: true }

/** The content so far, without the part of the closing tag that has arrived. */
function cutBody(text: string, close: string): Body {
  const from = text.lastIndexOf('<')
  const tag = from >= 0 && close.startsWith(text.slice(from))
  return { text: tag ? text.slice(0, from) : text, ended: false }
}

const READ = {
  elements: (body: Body, schema: Schema | undefined, mayRepair: boolean): Arguments =>
    readElements(body, schema, mayRepair) ??
    (mayRepair && body.ended ? readText(body, schema) : undefined),
  yaml: (body: Body, schema: Schema | undefined, mayRepair: boolean): Arguments =>
    readLines(body) ?? (mayRepair ? readElements(body, schema, mayRepair, true) : undefined),
}

function readElements(
  { text, ended }: Body,
  schema: Schema | undefined,
  mayRepair: boolean,
  trims = false,
): Arguments {
  const repairs: Slips = new Map()
  const { found: all, rest } = elementsOf(text, '', mayRepair && ended ? repairs : undefined)
  // As in YAML, whitespace around a value on one line is not part of it.
  const found = trims ? all.map(onOneLine) : all
  if ((!ended && found.length === 0) || isAmbiguous(found, schema)) return undefined
  // Stray text is tolerated only beside declared arguments. Otherwise the whole body may be one
  // text argument.
  const strays = repairs.has(STRAY_TEXT)
  if (strays && !(schema && found.length > 0 && found.every(({ name }) => declares(schema, name))))
    return undefined
  if (rest === undefined) return { args: membersOf(found, schema, schema, XML), repairs }
  if (repairs.size > 0) return undefined
  // The last element may lack its closing tag.
  const last = mayRepair && ended ? openElement(text, rest, '') : undefined
  if (!last || last.inner.includes('<') || isDamaged(last.inner)) return undefined
  const args = membersOf([...found, { ...last, inner: last.inner.trim() }], schema, schema, XML)
  return {
    args,
    repairs: new Map([['missing-closer', [text.length - last.inner.length, text.length]]]),
  }
}

function onOneLine(element: Element): Element {
  return isOneLine(element.inner) ? { ...element, inner: element.inner.trim() } : element
}

/** True if a required argument that is not a list occurs twice. */
function isAmbiguous(found: readonly Element[], schema: Schema | undefined): boolean {
  const required = requiredOf(schema)
  const once = new Set<string>()
  return found.some(({ name }) => {
    if (!once.has(name)) return !once.add(name)
    const types = schema && typesOf(propertyOf(schema, name), schema)
    return required.includes(name) && types !== undefined && !types.has('array')
  })
}

function readLines({ text, ended }: Body): Arguments {
  const lines = text.split(/\r?\n/)
  // Whitespace before the closing tag is not a line.
  if (lines.at(-1)!.trim() === '') lines.pop()
  const entries = readYaml(lines, { folds: true })
  const args = asObject(entries)
  return args && (ended || entries!.length > 0) ? { args } : undefined
}

/** Reads plain text, for a tool with a single text argument. */
function readText({ text }: Body, schema: Schema | undefined): Arguments {
  const key = textKey(schema)
  // The text contains the argument's own tag, so the argument exists but is unreadable.
  if (key === undefined || text.trim() === '' || text.includes(`<${key}>`)) return undefined
  return {
    args: { [key]: plain(text.trim(), XML) },
    repairs: new Map([['text-body', [0, text.length]]]),
  }
}

/** The name of a tool's only text argument. */
function textKey(schema: Schema | undefined): string | undefined {
  const keys = Object.keys(propertiesOf(schema) ?? {}).filter((key) =>
    typesOf(propertyOf(schema, key), schema!)?.has('string'),
  )
  return keys.length === 1 ? keys[0] : undefined
}

const TAG_ENDS = new Marks(['>', '/', ' ', '\n'])

/** Reads text up to its closing mark, or all of it if the reply was cut off. */
function* readBody(input: Input, builder: CallBuilder, stops: Marks): Reader<Body> {
  const body = new Pieces()
  builder.begin()
  const ended = yield* until(input, stops, (text) => body.add(text))
  return { text: body.toString(), ended }
}

/**
 * The name of a known tool before `next`, at the start of a line or after `opener`, which is the
 * wrong tag.
 */
function misopened(opener: string, next: string): Hole {
  const ends = new Marks([next])
  return {
    marked: true,
    starts: (names = []) =>
      names.flatMap((name) =>
        [opener, ''].flatMap((before) => [before + name + next, `${before}${name}\n${next}`]),
      ),
    *read({ input, builder }) {
      const begins = input.atLineStart
      if (!builder.mayRepair || !((yield* eat(input, opener)) || begins)) return false
      const name = yield* readLabel(input, ends, isName)
      return builder.repair('damaged-opener') && name !== undefined && builder.setName(name)
    },
    print: ({ call }) => call.name,
  }
}
