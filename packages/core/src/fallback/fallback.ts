import { type ParserOptions, plainTools } from '../options.ts'
import { createEngine, createMessage, type Parser, readWith } from '../parser.ts'
import type { Protocol } from '../protocol.ts'
import type { TrustFacts } from '../read/draft.ts'
import { Input } from '../read/input.ts'
import type { Message } from '../read/message.ts'
import { namesOf } from '../read/names.ts'
import { Output } from '../read/output.ts'
import { stopped } from '../read/stopped.ts'
import { everyProtocol } from '../registry.ts'
import type { Event } from '../reply.ts'
import { beginning, type Opening, openingsFor } from './openings.ts'
import { readAgain } from './read-again.ts'

/** How much text is held back after a call in another protocol, in case a call in a selected one follows. */
const MAX_HELD = 1 << 16

/** How many places in a reply are tried. */
const MAX_OPENINGS = 1 << 16

/**
 * A parser that reads text once more, as long as the selected protocols find no call in the reply: for calls of known tools that
 * are written in another protocol, or in none. They are held back up to the end of the reply: if a call in a selected protocol
 * follows, or if the reply was cut, they are text.
 */
export function createFallbackParser(
  protocols: readonly Protocol[],
  options: ParserOptions & { readonly auto: boolean },
): Parser {
  const names = namesOf(plainTools(options.tools ?? []))
  /** Made once text is read again, which most replies do without. */
  let common: Message | undefined
  const selected = new Set(protocols.map(({ id }) => id))
  const openings: Opening[] = []
  let answer = Infinity
  let noted = 0
  const parser = createEngine(protocols, {
    ...options,
    watch: {
      ...openingsFor(names),
      onMark: (message) => {
        if (noted++ < MAX_OPENINGS && beginning(message) !== 'none') noteOpening(message, openings)
      },
      onAnswer: (at) => (answer = Math.min(answer, at)),
    },
  })

  const facts: { -readonly [Fact in keyof TrustFacts]: TrustFacts[Fact] } = {}
  let out: Event[] = []
  /** What is being read again, and how far it is settled and fed. */
  let again: Parser | undefined
  let settled = 0
  let fed = 0
  const progress = { spent: 0, quoting: false }
  let count = 0
  /** The events since a call was found, with the calls and as text, and how much text follows the first. */
  let found: { read: Event[]; plain: Event[]; held: number } | undefined
  /** No more text is read again. */
  let over = false

  const put = (read: readonly Event[], plain: Event): void => {
    if (plain.type === 'text') settled = plain.at + plain.delta.length
    if (read[0]?.type === 'call-start') {
      found ??= { read: [], plain: [], held: 0 }
      count += read.filter(({ type }) => type === 'call-start').length
    } else if (found && plain.type === 'text') found.held += plain.delta.length
    if (found) {
      for (const event of read) add(found.read, event)
      add(found.plain, plain)
    } else add(out, plain)
  }
  const pass = (event: Event): void => put([event], event)

  /** Reads text again from here on. */
  const start = ({ at, atLineStart }: Opening): Parser => {
    settled = at
    common ??= createMessage(everyProtocol, { ...options, auto: true }, 0)
    const message = {
      ...common,
      input: new Input(at, atLineStart ? '\n' : ' '),
      output: new Output(count),
      facts: { ...facts },
    }
    return readWith(message, readAgain(message, { openings, selected, progress, put }))
  }
  const takeText = (event: Extract<Event, { type: 'text' }>): void => {
    const { at, delta } = event
    if (again && fed !== at) interrupt()
    fed = at + delta.length
    let from = 0
    if (!again) {
      while (openings[0] && openings[0].at < at) openings.shift()
      const next = openings[0]
      if (!next || next.at >= fed) return pass(event)
      from = next.at - at
      if (from > 0) pass({ ...event, delta: delta.slice(0, from) })
      again = start(next)
    }
    again.feed(from > 0 ? delta.slice(from) : delta)
    if (settled === fed && !progress.quoting) again = undefined
  }
  /** What comes next is not text, so no call continues there. */
  const interrupt = (): void => {
    again?.end({ finish: 'broken' })
    again = undefined
    progress.quoting = false
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
        over ||= event.at >= answer
        if (over) {
          interrupt()
          pass(event)
        } else takeText(event)
        if (found && found.held > MAX_HELD) giveUp()
        break
      case 'call-start':
        giveUp()
        out.push(event)
        break
      case 'end':
        again?.end({ finish: event.finish })
        if (found && (!stopped({ turn: event }) || found.held > MAX_HELD)) giveUp()
        out.push(...(found?.read ?? []), event)
        break
      default:
        interrupt()
        if (event.type === 'malformed') facts.afterMalformed = true
        over ||= event.type === 'result'
        pass(event)
    }
  }
  const takeAll = (events: Event[]): Event[] => {
    // Most text is not read again.
    const idle = !again && !found
    if (idle && (over || (openings.length === 0 && answer === Infinity && events.every(isPlain))))
      return events
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

function isPlain({ type }: Event): boolean {
  return type === 'text' || type === 'reasoning'
}

/** Adds an event; text continues the text before it. */
function add(events: Event[], event: Event): void {
  const last = events.at(-1)
  if (event.type === 'text' && last?.type === 'text' && last.at + last.delta.length === event.at)
    events[events.length - 1] = { ...last, delta: last.delta + event.delta }
  else events.push(event)
}

/** Notes where a call may begin. Code in the middle of a line is none, and neither is `>` there a quotation. */
function noteOpening({ input, output, lineBlank }: Message, openings: Opening[]): void {
  const { place, atLineStart } = input
  const code = input.code()
  if (code === 10)
    openings.push({ at: place + 1, atLineStart: true, lineBlank: true, alone: false })
  else if (lineBlank || (code !== 96 && code !== 62))
    openings.push({ at: place, atLineStart, lineBlank, alone: output.blank })
}
