import type { ParserOptions } from '../options.ts'
import { createEngine, type Parser } from '../parser.ts'
import type { Protocol } from '../protocol.ts'
import type { TrustFacts } from '../read/draft.ts'
import { stopped } from '../read/stopped.ts'
import { everyProtocol } from '../registry.ts'
import type { Event } from '../reply.ts'
import { readAgain } from './read-again.ts'
import { Stretch } from './stretch.ts'

/** How much text is held back after a call in another protocol, in case a call in the selected one follows. */
const MAX_HELD = 1 << 16

/**
 * A parser that reads the text of another one once more, as long as that one finds no call: for calls of known tools that are
 * written in another protocol than the selected ones, or in none. They are held back up to the end of the reply: if a call in a
 * selected protocol follows, or if the reply was cut, they are text.
 */
export function createFallbackParser(
  protocols: readonly Protocol[],
  { tools, repairs, maxCallLength, makeId, ...options }: ParserOptions & { readonly auto: boolean },
): Parser {
  const common = {
    ...(tools && { tools }),
    ...(repairs !== undefined && { repairs }),
    ...(maxCallLength !== undefined && { maxCallLength }),
  }
  let answersFrom = Infinity
  const parser = createEngine(protocols, {
    ...options,
    ...common,
    ...(makeId && { makeId }),
    onAnswer: (at) => (answersFrom = Math.min(answersFrom, at)),
  })
  const selected = new Set(protocols.map(({ id }) => id))
  const facts: { -readonly [Fact in keyof TrustFacts]: TrustFacts[Fact] } = {}
  let out: Event[] = []
  let stretch: Stretch | undefined
  let isFirst = true
  /** The events since a call was found, with the calls and as text, and how much text follows the first. */
  let found: { read: Event[]; plain: Event[]; held: number } | undefined
  let count = 0
  /** No more text is read again. */
  let over = false

  const put = (read: Event | undefined, plain: readonly Event[]): void => {
    if (read?.type === 'call-start') {
      found ??= { read: [], plain: [], held: 0 }
      count++
    }
    if (!found) {
      out.push(...plain)
      return
    }
    if (read?.type === 'text') found.held += read.delta.length
    if (read) found.read.push(read)
    found.plain.push(...plain)
  }
  const pass = (event: Event): void => put(event.type === 'call-start' ? undefined : event, [event])
  const start = (): Stretch => {
    const index = count
    const first = isFirst
    isFirst = false
    const again = createEngine(
      everyProtocol,
      { ...common, ...(makeId && { makeId: (next) => makeId(index + next) }), auto: true },
      (message) => {
        Object.assign(message.facts, facts)
        return readAgain(message, first)
      },
    )
    return new Stretch(again, selected, index, put)
  }
  /** What comes next is not text, so no call continues there. */
  const interrupt = (): void => {
    stretch?.end('broken')
    stretch = undefined
  }
  const giveUp = (): void => {
    interrupt()
    over = true
    if (found) out.push(...found.plain)
    found = undefined
  }

  const take = (event: Event): void => {
    switch (event.type) {
      case 'text':
        if (event.at >= answersFrom) over = true
        if (over || stretch?.place !== event.at) interrupt()
        if (over) pass(event)
        else (stretch ??= start()).feed(event)
        if (found && found.held > MAX_HELD) giveUp()
        break
      case 'call-start':
        giveUp()
        out.push(event)
        break
      case 'end':
        stretch?.end(event.finish)
        if (found && (!stopped({ turn: event }) || found.held > MAX_HELD)) giveUp()
        out.push(...(found?.read ?? []), event)
        break
      default:
        interrupt()
        if (event.type === 'malformed') facts.afterMalformed = true
        if (event.type === 'result') over = true
        pass(event)
    }
  }
  const takeAll = (events: readonly Event[]): Event[] => {
    events.forEach(take)
    const taken = out
    out = []
    return taken
  }
  return {
    feed: (chunk) => takeAll(parser.feed(chunk)),
    end: (ending) => takeAll(parser.end(ending)),
  }
}
