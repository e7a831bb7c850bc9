// Folder: XML values.
import type { Schema } from '../protocol.ts'
import type { Span } from '../reply.ts'
import { STRAY_TEXT } from '../read/readers.ts'
import { coerceText } from '../schema/coerce.ts'
import { intendedKey, itemsOf, propertyOf } from '../schema/property.ts'
import { partWith } from '../schema/resolve.ts'
import { isText, readTextValue } from '../schema/text-value.ts'
import { type Type, typesOf } from '../schema/types.ts'

/** An element with its name and content. */
export interface Element {
  readonly name: string
  readonly inner: string
}

/** The elements at the start of a text. */
interface Elements {
  readonly found: readonly Element[]
  /** The offset of the first text that is not an element. An unclosed element counts as text. */
  readonly rest?: number
}

/** The notation of elements. */
export interface Dialect {
  /** The text before each tag. */
  readonly prefix: string
  /** The interpretation of a value without a type in the schema. */
  readonly untyped: 'text' | 'json'
  /**
   * The interpretation of repeated elements if the schema declares no list: the last one, or a list
   * of all.
   */
  readonly repeated: 'last' | 'list'
  /** True to decode entities such as `&lt;`. */
  readonly entities: boolean
}

/** Skipped text: its place, by the name of the repair. */
export type Slips = Map<string, Span>

const MAX_DEPTH = 64

/**
 * The element for names that cannot be tags. Its attribute `name` has the name: `<argument
 * name="-n">`.
 */
export const NAMED = 'argument'

const NONE: Elements = { found: [] }

/**
 * Reads the elements at the start of a text. With `slips`, one doubled closing tag and one piece of
 * text between elements are skipped and recorded there.
 */
export function elementsOf(text: string, prefix: string, slips?: Slips): Elements {
  const found: Element[] = []
  let at = 0
  let strays = 1
  for (;;) {
    while (/\s/.test(text[at] ?? '')) at++
    if (at >= text.length) return { found }
    const opening = openingAt(text, at, prefix)
    if (!opening) {
      const next = slips && afterSlip(text, at, prefix, found.at(-1), slips)
      if (next === undefined) return { found, rest: at }
      at = next
      continue
    }
    const { name, tag, end, empty } = opening
    const { close, stray } = empty
      ? { close: end, stray: false }
      : closingOf(text, end, tag, prefix)
    if (close < 0 || (stray && strays-- === 0)) return { found, rest: at }
    found.push({ name, inner: text.slice(end, close) })
    at = empty ? end : close + `${prefix}</${tag}>`.length
  }
}

/**
 * The offset at which reading continues after a slip. Undefined if this is not a slip, or the
 * second of its kind.
 */
function afterSlip(
  text: string,
  at: number,
  prefix: string,
  last: Element | undefined,
  slips: Slips,
): number | undefined {
  const closer = `${prefix}</${last?.name}>`
  const doubled = text.startsWith(closer, at)
  const slip = doubled ? 'doubled-closer' : STRAY_TEXT
  if (slips.has(slip) || (!doubled && text.startsWith(`${prefix}<`, at))) return undefined
  const next = doubled ? at + closer.length : text.indexOf(`${prefix}<`, at)
  const to = next < 0 ? text.length : next
  slips.set(slip, [at, to])
  return to
}

/** An unclosed element: the tag at `at`, with the rest of the text as its content. */
export function openElement(text: string, at: number, prefix: string): Element | undefined {
  const opening = openingAt(text, at, prefix)
  return opening && { name: opening.name, inner: text.slice(opening.end) }
}

/**
 * Converts elements to the members of an object. A repeated element makes a list or replaces the
 * previous one.
 */
export function membersOf(
  children: readonly Element[],
  schema: Schema | undefined,
  root: Schema | undefined,
  dialect: Dialect,
  depth = 0,
): Record<string, unknown> {
  const object = schema && root ? partWith(schema, root, 'properties') : undefined
  const groups = new Map<string, string[]>()
  for (const { name, inner } of children) {
    const group = groups.get(name)
    if (group) group.push(inner)
    else groups.set(name, [inner])
  }
  const entries = [...groups].map(([name, inners]): [string, unknown] => {
    const property = propertyOf(object, (object && intendedKey(object, name, root)) ?? name, root)
    const types = root && typesOf(property, root)
    const item = types?.has('array') ? itemsOf(property, root) : property
    const read = (inner: string, as = property): unknown => valueOf(inner, as, root, dialect, depth)
    if (inners.length === 1) return [name, read(inners[0]!)]
    const replaces = dialect.repeated === 'last' && types && !types.has('array')
    if (replaces) return [name, read(inners.at(-1)!)]
    return [name, inners.map((inner) => read(inner, item))]
  })
  return Object.fromEntries(entries)
}

/** The value of an element's content. */
function valueOf(
  inner: string,
  schema: Schema | undefined,
  root: Schema | undefined,
  dialect: Dialect,
  depth: number,
): unknown {
  const types = root && typesOf(schema, root)
  const text = isText('schema', dialect.untyped, schema, root)
  if (text && (types || !inner.includes('<'))) return plain(inner, dialect)
  const nests = depth <= MAX_DEPTH && inner.includes('<')
  const { found, rest } = nests ? elementsOf(inner, dialect.prefix) : NONE
  if (rest !== undefined || found.length === 0) {
    return leafOf(plain(inner, dialect), schema, root, types)
  }
  const [first] = found
  if (types && found.length === 1 && !types.has('object') && !types.has('array')) {
    return valueOf(first!.inner, schema, root, dialect, depth + 1)
  }
  if (types ? types.has('array') : found.every(({ name }) => name === 'item')) {
    const items = itemsOf(schema, root)
    if (!areItems(found, items, root)) return [membersOf(found, items, root, dialect, depth + 1)]
    return found.map((child) => valueOf(child.inner, items, root, dialect, depth + 1))
  }
  return membersOf(found, schema, root, dialect, depth + 1)
}

/** True if elements are the items of a list, and false if they are the members of its only item. */
function areItems(
  found: readonly Element[],
  items: Schema | undefined,
  root: Schema | undefined,
): boolean {
  const [{ name }] = found as readonly [Element]
  const alike = found.every((one) => one.name === name)
  if (alike && (found.length > 1 || name === 'item')) return true
  const types = items && root && typesOf(items, root)
  return types !== undefined && !types.has('object')
}

/**
 * The value of text without elements. If the schema requires a list, it is split into items or
 * becomes the only item.
 */
function leafOf(
  text: string,
  schema: Schema | undefined,
  root: Schema | undefined,
  types: ReadonlySet<Type | 'unknown'> | undefined,
): unknown {
  if (!root || !types?.has('array') || types.has('string') || coerceText(text, schema, root)) {
    return readTextValue(text, 'schema', schema, root).value
  }
  if (text.trim() === '') return []
  const items = itemsOf(schema, root)
  const isPlain = !items || isText('schema', 'text', items, root)
  const parts = text.trim().split(isPlain ? /\n+/ : /\n|,/)
  return parts.map((part) => readTextValue(part.trim(), 'schema', items, root).value)
}

/** Text without the CDATA section around it, if any. */
export function plain(text: string, { entities }: Dialect): string {
  const trimmed = text.trim()
  if (trimmed.startsWith('<![CDATA[') && trimmed.endsWith(']]>'))
    return trimmed.slice(9, -3).replaceAll(']]><![CDATA[', '')
  return entities ? unescaped(text) : text
}

/** The opening tag at `at`. Its attributes are ignored, except one that names the element. */
function openingAt(
  text: string,
  at: number,
  prefix: string,
): { name: string; tag: string; end: number; empty: boolean } | undefined {
  if (!text.startsWith(prefix, at)) return undefined
  let i = at + prefix.length
  // Models may write whitespace between the prefix and its tag.
  while (prefix !== '' && /\s/.test(text[i] ?? '')) i++
  if (text[i] !== '<') return undefined
  const from = ++i
  while (isNamePart(text.charCodeAt(i))) i++
  const tag = text.slice(from, i)
  if (tag === '') return undefined
  const attributes = i
  let quote = ''
  for (; i < text.length; i++) {
    const char = text[i]!
    if (quote !== '') quote = char === quote ? '' : quote
    else if (char === '"' || char === "'") quote = char
    else if (char === '<') return undefined
    else if (char === '>') {
      const name = tag === NAMED ? nameIn(text.slice(attributes, i)) : undefined
      return { name: name ?? tag, tag, end: i + 1, empty: text[i - 1] === '/' }
    }
  }
  return undefined
}

/**
 * Finds the end of an element, which may contain elements of the same name. `stray` is true if one
 * of those is never closed, so its tag is plain text.
 */
function closingOf(
  text: string,
  from: number,
  name: string,
  prefix: string,
): { close: number; stray: boolean } {
  const close = `${prefix}</${name}>`
  // Elements with attributes count only if one of the attributes is the name.
  const opens =
    name === NAMED ? [`${prefix}<${name}>`, `${prefix}<${name} name="`] : [`${prefix}<${name}>`]
  let depth = 1
  let last = -1
  for (let at = from; depth <= MAX_DEPTH; at = last + close.length) {
    const end = text.indexOf(close, at)
    if (end < 0) return { close: depth === 1 ? last : -1, stray: true }
    last = end
    // Searches only as far as needed, so that each character is examined once.
    const between = text.slice(at, end)
    for (const open of opens) depth += between.split(open).length - 1
    if (--depth === 0) return { close: end, stray: false }
  }
  return { close: -1, stray: false }
}

/** The name in ` name="-n"`. */
function nameIn(attributes: string): string | undefined {
  const [, name] = /^\s+name="([^"]*)"\s*$/.exec(attributes) ?? []
  return name === undefined ? undefined : unescaped(name)
}

/** True if an element can have this name. */
export function isTagName(name: string): boolean {
  return name !== '' && Array.from(name).every((char) => isNamePart(char.charCodeAt(0)))
}

/** True for letters, digits, `_ - . : $` and all non-ASCII characters. */
function isNamePart(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 58) ||
    code === 95 ||
    code === 45 ||
    code === 46 ||
    code === 36 ||
    code > 127
  )
}

const ENTITIES = new Map([
  ['lt', '<'],
  ['gt', '>'],
  ['amp', '&'],
  ['quot', '"'],
  ['apos', "'"],
])

/** Decodes XML's five predefined entities, once. */
export function unescaped(text: string): string {
  return text.replaceAll(/&(lt|gt|amp|quot|apos);/g, (_, name: string) => ENTITIES.get(name)!)
}

/** Escapes text so that it contains no tags or entities. */
export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
