import type { Schema } from '../protocol.ts'
import { propertyOf } from '../schema/property.ts'
import { partWith } from '../schema/resolve.ts'
import { isText, readTextValue } from '../schema/text-value.ts'
import { typesOf } from '../schema/types.ts'

/** An element: its name, and what stands in it. */
export interface Element {
  readonly name: string
  readonly inner: string
}

const MOST_DEPTH = 64

/**
 * The elements a text consists of. `prefix` stands before each of their tags. Undefined: there is something else in it
 * than elements and whitespace.
 */
export function elementsOf(text: string, prefix: string): Element[] | undefined {
  const found: Element[] = []
  let at = 0
  for (;;) {
    while (/\s/.test(text[at] ?? '')) at++
    if (at >= text.length) return found
    const opening = openingAt(text, at, prefix)
    if (!opening) return undefined
    const { name, end, empty } = opening
    const close = empty ? end : closingOf(text, end, name, prefix)
    if (close < 0) return undefined
    found.push({ name, inner: text.slice(end, close) })
    at = empty ? end : close + `${prefix}</${name}>`.length
  }
}

/** The value that an element's content stands for. */
export function valueOf(
  inner: string,
  schema: Schema | undefined,
  root: Schema | undefined,
  prefix: string,
  depth = 0,
): unknown {
  const types = root && typesOf(schema, root)
  if (isText('schema', 'text', schema, root) && (types || !inner.includes('<'))) return plain(inner)
  const children =
    depth > MOST_DEPTH || !inner.includes('<') ? undefined : elementsOf(inner, prefix)
  if (!children || children.length === 0) {
    return readTextValue(plain(inner), 'schema', schema, root).value
  }
  const lists = types?.has('array') || (!types && children.every(({ name }) => name === 'item'))
  if (lists) {
    const items = schema && root ? partWith(schema, root, 'items')?.['items'] : undefined
    return children.map((child) =>
      valueOf(child.inner, items as Schema | undefined, root, prefix, depth + 1),
    )
  }
  return membersOf(children, schema, root, prefix, depth)
}

/** Elements as the members of an object; one that comes again makes a list. */
export function membersOf(
  children: readonly Element[],
  schema: Schema | undefined,
  root: Schema | undefined,
  prefix: string,
  depth = 0,
): Record<string, unknown> {
  const object = schema && root ? partWith(schema, root, 'properties') : undefined
  const entries = new Map<string, unknown[]>()
  for (const { name, inner } of children) {
    const property = propertyOf(object, name, root)
    const value = valueOf(inner, property, root, prefix, depth + 1)
    entries.set(name, [...(entries.get(name) ?? []), value])
  }
  return Object.fromEntries(
    [...entries].map(([key, values]) => [key, values.length > 1 ? values.flat() : values[0]]),
  )
}

/** Text, out of its CDATA if it stands in one. */
function plain(text: string): string {
  const trimmed = text.trim()
  return trimmed.startsWith('<![CDATA[') && trimmed.endsWith(']]>') ? trimmed.slice(9, -3) : text
}

/** A tag that opens an element here, its attributes passed over. */
function openingAt(
  text: string,
  at: number,
  prefix: string,
): { name: string; end: number; empty: boolean } | undefined {
  if (!text.startsWith(`${prefix}<`, at)) return undefined
  let i = at + prefix.length + 1
  const from = i
  while (isNamePart(text.charCodeAt(i))) i++
  const name = text.slice(from, i)
  if (name === '') return undefined
  let quote = ''
  for (; i < text.length; i++) {
    const char = text[i]!
    if (quote !== '') quote = char === quote ? '' : quote
    else if (char === '"' || char === "'") quote = char
    else if (char === '<') return undefined
    else if (char === '>') return { name, end: i + 1, empty: text[i - 1] === '/' }
  }
  return undefined
}

/** Where the element closes; elements of the same name may stand in it. */
function closingOf(text: string, from: number, name: string, prefix: string): number {
  const [open, close] = [`${prefix}<${name}>`, `${prefix}</${name}>`]
  let depth = 1
  let at = from
  while (depth <= MOST_DEPTH) {
    const end = text.indexOf(close, at)
    if (end < 0) return -1
    // Looked for only as far as it matters, so that each character is looked at once.
    const between = text.slice(at, end)
    for (let inner = between.indexOf(open); inner >= 0; inner = between.indexOf(open, inner + 1)) {
      depth++
    }
    if (--depth === 0) return end
    at = end + close.length
  }
  return -1
}

/** Letters, digits, `_ - . :` and anything beyond ASCII. */
function isNamePart(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 58) ||
    code === 95 ||
    code === 45 ||
    code === 46 ||
    code > 127
  )
}
