// Folder: The printer: calls and results as text.
import type { Printing } from '../hole.ts'
import type { CallsHole } from '../holes/calls.ts'
import type { PrintableCall, Protocol } from '../protocol.ts'
import type { Part, Wire } from '../wire.ts'
import type { MemberPictures } from '../holes/each.ts'
import { type FieldNames, numberOf } from '../holes/fields.ts'
import type { Role } from '../json/envelope.ts'
import { pythonWords, pythonic, repr } from '../python/print.ts'
import { type Dialect, isTagName, NAMED, escaped } from '../xml/elements.ts'
import { writtenElement, writtenName, writtenKey } from '../read/names.ts'
import { asText, printDictionary } from './output.ts'
import { spaced } from './spaced.ts'
import { key as keyHole } from '../holes/labels.ts'
import { tokens } from '../read/compile.ts'

/** The calls of one turn as the model would write them. */
export function printCalls(protocol: Protocol, calls: readonly PrintableCall[]): string {
  const printed = calls.map((call, index) => print(protocol.call, call, { index }))
  return printAround(protocol.section, printed, protocol.separator)
}

/** Joins the printed calls or results of a turn, inside the picture around them, if any. */
export function printAround(
  picture: Wire | undefined,
  printed: readonly string[],
  separator = '\n',
): string {
  const calls = printed.join(picture?.find(isCalls)?.separator ?? separator)
  return picture && printed.length > 0 ? print(picture, { name: '', args: {} }, { calls }) : calls
}

/** Prints a picture. */
export function print(
  picture: Wire,
  call: PrintableCall,
  what: Partial<Pick<Printing, 'calls' | 'index' | 'output' | 'entry'>> = {},
): string {
  const wire = (inside: Wire, entry: readonly [string, unknown]): string =>
    print(inside, call, { ...what, entry })
  return picture.reduceRight<string>((next, part) => {
    const printed =
      typeof part === 'string' ? part : part.print({ ...what, call, next, wire, write: writers })
    return printed + next
  }, '')
}

function isCalls(part: Part): part is CallsHole {
  return typeof part !== 'string' && 'of' in part
}

const KEYWORDS = new Set(
  (
    'False None True and as assert async await break class continue def del elif else except finally for from global if ' +
    'import in is lambda nonlocal not or pass raise return try while with yield'
  ).split(' '),
)

type Arguments = Readonly<Record<string, unknown>>

/**
 * The functions that print values. They are passed to holes when printing, so that programs that
 * only parse do not include them.
 */
export interface Writers {
  /** Strings unchanged, other values as JSON. */
  text(value: unknown): string
  json(value: unknown): string
  /** A tool's name in a form that may precede `next`, or as the name of an element. */
  name(name: string, next: string): string
  element(name: string): string
  /** Prints a value as JSON, with Python's words for true, false and null. */
  pythonWords(value: unknown): string
  /** Keyword arguments in Python, with strings as in JSON or as in `repr`. */
  keywords(args: Arguments, strings: 'json' | 'repr'): string
  yaml(args: Arguments, indent: string): string
  elements(args: Arguments, dialect: Dialect, separator: string): string
  dictionary(value: unknown, quote: string): string
  /** Prints each argument in its own picture. */
  members(printing: Printing, members: MemberPictures): string
  /** Like `members`, with the call's name and id among them. */
  fields(printing: Printing, members: MemberPictures, names: FieldNames): string
  /** An object with the call's name and arguments at these paths. */
  envelope(
    printing: Printing,
    roles: readonly (readonly [Role, string | readonly string[]])[],
    numbered: number | undefined,
  ): string
}

const writers: Writers = {
  text: asText,
  json: spaced,
  name: writtenName,
  element: writtenElement,
  pythonWords,
  keywords: printKeywords,
  yaml: printYaml,
  elements: printElements,
  dictionary: printDictionary,
  members: (printing, members) => printMembers(printing, members).join(members.separator),
  fields: printFields,
  envelope: printEnvelope,
}

/**
 * An object with the parts of a call at these paths. Of several paths for a part, the first is
 * used. A call without an id gets its number.
 */
function printEnvelope(
  { call, index = 0 }: Printing,
  roles: readonly (readonly [Role, string | readonly string[]])[],
  numbered: number | undefined,
): string {
  const object: Record<string, unknown> = {}
  const whole = numbered === undefined ? call : { ...call, id: call.id ?? String(index + numbered) }
  for (const [role, paths] of roles) {
    if (whole[role] !== undefined) put(object, [paths].flat()[0]!, whole[role])
  }
  return spaced(object)
}

function put(target: Record<string, unknown>, path: string, value: unknown): void {
  const dot = path.indexOf('.')
  if (dot < 0) target[path] = value
  else
    put((target[path.slice(0, dot)] ??= {}) as Record<string, unknown>, path.slice(dot + 1), value)
}

/** A call as a list of similar fields: its name, its id (if any) and its arguments. */
function printFields(printing: Printing, members: MemberPictures, names: FieldNames): string {
  const { call } = printing
  const head: Record<string, unknown> = {
    [names.name]: writtenName(call.name),
    ...(call.id !== undefined && { [names.id]: call.id }),
  }
  const isField = (key: string): boolean =>
    [names.name, names.id].includes(key) || numberOf(key, names.method) !== ''
  const fieldsOf = (args: typeof head, isLiteral?: typeof isField): string[] =>
    printMembers({ ...printing, call: { ...call, args } }, members, isLiteral)
  return [...fieldsOf(head), ...fieldsOf(call.args, isField)].join(members.separator)
}

/**
 * `a=1, b="x"`. Arguments whose names are not identifiers are in a dictionary: `**{"-n": True}`.
 */
function printKeywords(args: Readonly<Record<string, unknown>>, strings: 'json' | 'repr'): string {
  const written = strings === 'repr' ? repr : pythonic
  return Object.entries(args)
    .map(([key, value]) =>
      isIdentifier(key) ? `${key}=${written(value)}` : `**${written({ [key]: value })}`,
    )
    .join(', ')
}

/** True if Python accepts this name for an argument. */
function isIdentifier(name: string): boolean {
  return /^[\p{L}_][\p{L}\p{N}_]*$/u.test(name) && !KEYWORDS.has(name)
}

/** Values as elements named after their keys. The items of lists are `item` elements. */
export function printElements(
  args: Readonly<Record<string, unknown>>,
  dialect: Dialect,
  separator: string,
): string {
  return Object.entries(args)
    .map(([key, value]) => element(key, value, dialect))
    .join(separator)
}

function element(name: string, value: unknown, dialect: Dialect): string {
  const { prefix } = dialect
  const plain = isTagName(name)
  const [open, close] = plain ? [name, name] : [`${NAMED} name="${attribute(name)}"`, NAMED]
  return `${prefix}<${open}>${content(value, dialect)}${prefix}</${close}>`
}

/** Text escaped for a quoted attribute. */
function attribute(text: string): string {
  return escaped(text).replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}

function content(value: unknown, dialect: Dialect): string {
  if (typeof value === 'string') return dialect.entities ? escaped(value) : value
  if (Array.isArray(value)) return value.map((item) => element('item', item, dialect)).join('')
  if (typeof value === 'object' && value !== null) {
    return printElements(value as Record<string, unknown>, dialect, '')
  }
  return JSON.stringify(value)
}

/**
 * Prints each argument in the first picture that can represent it. A name for which `isLiteral` is
 * true has another meaning here, so it is escaped.
 */
function printMembers(
  { call, wire }: Printing,
  members: MemberPictures,
  isLiteral: (key: string) => boolean = () => false,
): string[] {
  const { pictures } = members
  return Object.entries(call.args).map(([key, value]) => {
    const picture = pictures.find((one) => carries(one, members, value)) ?? pictures[0]!
    const next = picture
      .slice(picture.indexOf(keyHole) + 1)
      .find((part) => typeof part === 'string')
    return wire(picture, [writtenKey(key, next, isLiteral(key)), value])
  })
}

/**
 * True if a picture can represent a value: the value contains neither the picture's own end nor
 * text that needs a more specific picture.
 */
function carries(picture: Wire, { pictures, avoid }: MemberPictures, value: unknown): boolean {
  const text = asText(value)
  const closing = picture.at(-1)
  if (typeof closing === 'string' && text.includes(tokens(closing)[0]!)) return false
  return picture !== pictures[0] || !avoid.some((mark) => text.includes(mark))
}

/**
 * Prints a mapping as YAML, with each line indented. Any value except plain text is printed as
 * JSON, which is valid YAML.
 */
export function printYaml(args: Readonly<Record<string, unknown>>, indent: string): string {
  return Object.entries(args)
    .map(([key, value]) => `${indent}${plain(key)}: ${plain(value)}`)
    .join('\n')
}

function plain(value: unknown): string {
  return typeof value === 'string' && PLAIN.test(value) ? value : JSON.stringify(value)
}

/** Words that cannot be confused with a number, a boolean or YAML syntax. */
const PLAIN = /^(?!(?:true|false|null|yes|no|on|off)$)[A-Za-z_./][\w./-]*(?: [\w./-]+)*$/i
