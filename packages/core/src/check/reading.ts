import { createParser, type ParserOptions } from '../index.ts'
import { collectReply, type Event, type Finish, type Reply } from '../reply.ts'

/** A reply, and the events that it was made of. */
export interface Reading {
  readonly events: readonly Event[]
  readonly reply: Reply
}

/** Reads a reply in these chunks. Generated ids count the calls. */
export function read(
  chunks: readonly string[],
  options: ParserOptions,
  finish: Finish = 'stop',
): Reading {
  const parser = createParser({ makeId: (index) => `call${index}`, ...options })
  const events = [...chunks.flatMap((chunk) => parser.feed(chunk)), ...parser.end({ finish })]
  return { events, reply: collectReply(events) }
}

/** The names and arguments of the calls that are complete. */
export function completeCalls({ reply }: Reading): [name: string, args: Record<string, unknown>][] {
  return reply.calls.filter((call) => call.complete).map(({ name, args }) => [name, args])
}

/** What differs, whatever the order of keys. Undefined: nothing does. */
export function difference(what: string, expected: unknown, got: unknown): string | undefined {
  const [one, other] = [JSON.stringify(expected, sorted), JSON.stringify(got, sorted)]
  return one === other ? undefined : `expected ${what} ${short(one)}, got ${short(other)}`
}

/** What the segments of a reply do not account for. */
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

/** A call that is announced but neither ended nor taken back, or that ends with other arguments than were streamed. */
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
