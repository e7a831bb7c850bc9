import { labelMarks, ACTIONS } from '../fallback/untrained.ts'
import { name } from '../holes/labels.ts'
import type { Protocol, ToolDefinition } from '../protocol.ts'
import { starts, tokens } from '../read/compile.ts'
import { closingOf, wiresOf } from '../read/grammar.ts'
import { cached, kept } from '../read/cached.ts'
import { namesOf } from '../read/names.ts'
import { NAME } from '../read/marks.ts'
import { everyProtocol } from '../registry.ts'
import type { Wire } from '../wire.ts'
import { type Inert, type MarkTable, type Neutralizer, neutralizer, tableOf } from './neutralize.ts'

/**
 * Makes the marks of every protocol inert, including the marks of `own` protocols, so that text can
 * neither close the wrapper of a result nor be read as a call. `tools` covers calls that are
 * recognized only by a tool's name. Cached by protocols and names.
 */
export function guardOf(
  own: readonly Protocol[],
  tools: readonly ToolDefinition[] = [],
): Neutralizer {
  const others = [...new Set(own)].filter((protocol) => !everyProtocol.includes(protocol))
  const table = cached(tables, others.map(numberOf).join(), () =>
    tableOf([
      ...[...everyProtocol, ...others].flatMap(marksOf),
      ...others.flatMap(edgesOf),
      ...QUOTED_NAMES,
      ...labelMarks(ACTIONS).map((mark) => ({ mark, anyCase: false })),
    ]),
  )
  return neutralizer(table, namesOf(tools))
}

const tables = new Map<string, MarkTable>()

const numbers = new WeakMap<Protocol, number>()
let count = 0

function numberOf(protocol: Protocol): number {
  return kept(numbers, protocol, () => ++count)
}

/**
 * Every mark that opens or closes a call, a value or another picture. Marks around values are
 * included so that a result can be copied into a call.
 */
function marksOf(protocol: Protocol): Inert[] {
  const { call, reasoning, answer, ignore = [], result, results, error, anyCase = false } = protocol
  const called = calledIn(protocol)
  const others = [result, results, error, ...wiresOf(reasoning), ...wiresOf(answer), ...ignore]
  const marks = [...called, ...others].flatMap((wire) =>
    typeof wire === 'object'
      ? [
          ...starts(wire, NAMES, call).marks,
          ...wire.flatMap((part) => (typeof part === 'string' ? [] : (part.around?.(NAMES) ?? []))),
          ...endsOf(wire),
        ]
      : [wire ?? ''],
  )
  return [
    ...marks.filter((mark) => !isCommon(mark) && mark !== NAME).map((mark) => ({ mark, anyCase })),
    ...called
      .filter((wire) => !wire.slice(1).some(isTelling))
      .flatMap((wire) => wordsOf(wire, call)),
  ]
}

/** Every picture of a call. */
function calledIn({ call, section, variants = [], general = [] }: Protocol): readonly Wire[] {
  return [call, ...variants, ...general, ...(section ? [section] : [])]
}

/**
 * The openings of calls and the ends of results, even common ones, because custom protocols have
 * not been tested.
 */
function edgesOf(protocol: Protocol): Inert[] {
  const { call, result, results = [], error = [], anyCase = false } = protocol
  const called = calledIn(protocol)
  const openings = called
    .flatMap((wire) => starts(wire, NAMES, call).marks)
    .filter((mark) => !BRACKETS.has(mark) && mark !== NAME)
  // A joiner cannot be inserted into a single character.
  const closings = [result, results, error].flatMap(endsOf).filter((mark) => mark.length > 1)
  return [
    ...[...openings, ...closings].map((mark) => ({ mark, anyCase })),
    ...called.flatMap((wire) => wordsOf(wire, call)),
  ]
}

const BRACKETS = new Set(['(', '[', '{'])

/**
 * Openings of calls that are a word, a name, or the bracket before a name. They count only if the
 * rest of the picture follows.
 */
function wordsOf(wire: Wire, call: Wire): Inert[] {
  const from = wire.findIndex((part) => typeof part === 'string' || !part.optional || 'of' in part)
  const [first, ...rest] = wire.slice(Math.max(from, 0))
  const words = first ? starts([first], NAMES, call).marks : []
  const named = rest[0] === name
  const next = starts(named ? rest.slice(1) : rest, undefined, call).marks
  // JSON may be in a code fence.
  const followedBy = next.map((mark) => mark[0]).join('') + (next.includes('{') ? '`' : '')
  return words
    .filter((word) => word === NAME || ((word.length > 1 || named) && isCommon(word)))
    .map((mark) => ({ mark, anyCase: false, followedBy, named }))
}

/**
 * A tool's name in quotes, as in JSON or Python, which is the only sign of a call without marks.
 */
const QUOTED_NAMES: readonly Inert[] = ['"', "'"].map((quote) => ({
  mark: quote + NAME + quote,
  anyCase: false,
  followedBy: ',}',
}))

/** One placeholder for all names. */
const NAMES = [NAME]

/** True if a part of a picture distinguishes it from prose. */
function isTelling(part: Wire[number]): boolean {
  return !tokens(part).every(isCommon)
}

/** True if ordinary text may contain a mark: words, or a few characters without letters. */
function isCommon(mark: string): boolean {
  if (mark.includes(NAME)) return false
  return mark.length < 2 || /^(?:[a-z ]+[=(]?|[^\p{L}]{1,3})$/iu.test(mark)
}

/**
 * The end of a picture and, in a result, the text after the tool's output. Output must not contain
 * either.
 */
function endsOf(wire: Wire): string[] {
  const output = wire.findIndex((part) => typeof part !== 'string' && part.isOutput)
  return [closingOf(wire) ?? '', ...(output < 0 ? [] : starts(wire.slice(output + 1)).marks)]
}
