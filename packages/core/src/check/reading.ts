import { createParser, type ParserOptions } from '../index.ts'
import { collectReply, type Event, type Finish, type Reply } from '../reply.ts'
import type { Protocol } from '../protocol.ts'

/** A reply and its events. */
export interface Reading {
  readonly events: readonly Event[]
  readonly reply: Reply
}

/** Reads a reply in these chunks. Generated ids number the calls. */
export function read(
  chunks: readonly string[],
  options: ParserOptions,
  finish: Finish = 'stop',
): Reading {
  const parser = createParser({ makeId: (index) => `call${index}`, ...options })
  const events = [...chunks.flatMap((chunk) => parser.feed(chunk)), ...parser.end({ finish })]
  return { events, reply: collectReply(events) }
}

/** The names and arguments of the complete calls. */
export function completeCalls({ reply }: Reading): [name: string, args: Record<string, unknown>][] {
  return reply.calls.filter((call) => call.complete).map(({ name, args }) => [name, args])
}

/**
 * The difference between two values, ignoring the order of keys, or undefined if they are equal.
 */
export function difference(what: string, expected: unknown, got: unknown): string | undefined {
  const [one, other] = [JSON.stringify(expected, sorted), JSON.stringify(got, sorted)]
  return one === other ? undefined : `${what}: ${short(other)} instead of ${short(one)}`
}

/** The first text that no segment of a reply covers. */
export function loss(text: string, { reply }: Reading): string | undefined {
  let at = 0
  for (const { span } of reply.segments) {
    if (span[0] !== at || span[1] < at) return `its segments leave a gap at ${at}`
    at = span[1]
  }
  if (at !== text.length) return `its segments end at ${at} of ${text.length}`
  const seen = (...types: string[]): string =>
    reply.segments
      .filter(({ type }) => types.includes(type))
      .map(({ span }) => text.slice(...span))
      .join('')
  return (
    difference('the text', seen('text', 'malformed', 'result'), reply.text) ??
    difference('the reasoning', seen('reasoning'), reply.reasoning)
  )
}

/**
 * A problem with the events: a call that is neither ended nor taken back after its start, or that
 * ends with other arguments than it streamed.
 */
export function unsound({ events }: Reading): string | undefined {
  const open = new Map<number, string>()
  for (const event of events) {
    if (event.type === 'call-start') open.set(event.index, '')
    if (event.type === 'call-delta')
      open.set(event.index, (open.get(event.index) ?? '') + event.delta)
    if (event.type === 'malformed' && event.index !== undefined) open.delete(event.index)
    if (event.type === 'call-end') {
      const { complete, args } = event.call
      const json = open.get(event.index)
      if (json === undefined) return `call ${event.index} ends but never began`
      const problem = complete && difference('arguments', args, JSON.parse(json))
      if (problem) return problem
      open.delete(event.index)
    }
  }
  return open.size > 0 ? 'a call begins but never ends' : undefined
}

function sorted(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
}

function short(text: string | undefined): string {
  const shown = String(text)
  return shown.length > 200 ? `${shown.slice(0, 200)}…` : shown
}

/** All literal text in a protocol's pictures. */
export function drawnIn(protocol: Protocol): string[] {
  const { call, section, variants, reasoning, answer, result, results, error, ignore } = protocol
  return [call, section, variants, reasoning, answer, result, results, error, ignore]
    .flat(3)
    .filter((part) => typeof part === 'string')
}

/** Like `drawnIn`, without surrounding whitespace or duplicates. */
export function marksOf(protocol: Protocol): string[] {
  const drawn = drawnIn(protocol).map((part) => part.trim())
  return [...new Set(drawn)].filter((part) => part !== '')
}

/** Generates random inputs from these pieces. The sequence is always the same. */
export function* soup(pieces: readonly string[], count: number): Iterable<string> {
  let state = 1
  const next = (below: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  for (let i = 0; i < count; i++) {
    yield Array.from({ length: 1 + next(16) }, () => pieces[next(pieces.length)]!).join('')
  }
}

/** Strings that may surround marks or break the text between them. */
export const oddities: readonly string[] = [
  ...[...'{}[]()"\'\\,:`'.split(''), '```', '\n', '\n\n', ' ', '<', '</'],
  ...['{"a": 1}', '"name"', '"arguments"', 'ping', 'null', '<think>', '</think>', '<tool_call>'],
  ...['\u{1f600}', '\ud800', '\0', '\ufeff', '__proto__'],
]

/** Values that are easily damaged between marks. */
export const values: readonly string[] = [
  ...['', ' x ', '\nx\n', 'a\nb', '\t', 'say "hi"', "it's", 'back\\slash', 'C:\\new', '{"a": 1}'],
  ...['[]', '{}', 'null', 'true', '1', '1.0', '- a: b # c', '`code`', '```\nx\n```', '&lt;b&gt;'],
  ...['</b>', '$&', 'Hà Nội 你好 \u{1f600}', 'x = [1, 2]', 'a, b: c', '\u2060'],
]
