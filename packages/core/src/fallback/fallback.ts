// Folder: Calls without a protocol's marks.
import { plainTools } from '../options.ts'
import {
  createEngine,
  createMessage,
  type EngineOptions,
  type Parser,
  readWith,
} from '../parser.ts'
import type { Protocol } from '../protocol.ts'
import { Input } from '../read/input.ts'
import type { Message } from '../read/message.ts'
import { Output } from '../read/output.ts'
import { isSpace } from '../read/readers.ts'
import { everyProtocol } from '../registry.ts'
import type { Event } from '../reply.ts'
import { type Opening, openingsFor } from './openings.ts'
import { MAX_WITHOUT_CALL, readAgain, type Trial, trialOf } from './read-again.ts'

/**
 * A parser that reads text a second time as long as the reply has no call in the selected
 * protocols. It finds calls of known tools at the end of the reply in another protocol, or in none.
 */
export function createFallbackParser(
  protocols: readonly Protocol[],
  options: EngineOptions & { readonly auto: boolean },
): Parser {
  const { first, later, match, beginning } = openingsFor(plainTools(options.tools ?? []))
  const openings: Opening[] = []
  const progress = {
    next: 0,
    budget: MAX_WITHOUT_CALL,
    quoting: false,
    over: false,
    afterMalformed: false,
  }
  let answer = Infinity
  const parser = createEngine(protocols, {
    ...options,
    watch: {
      first,
      later,
      match: (message, at) =>
        isOver(message) || isInside(message.input, at) ? 'none' : match(message.input, at),
      onMark(message, isBlock) {
        if (!isOver(message) && beginning(message.input, 0, isBlock) !== 'none')
          noteOpening(message, openings)
      },
      onAnswer: (at) => (answer = Math.min(answer, at)),
    },
  })
  /** True once the rest of the reply is never read a second time, such as after a call. */
  function isOver({ output }: Message): boolean {
    return progress.over || output.nextIndex > 0
  }
  const selected = new Set(protocols.map(({ id }) => id))

  let out: Event[] = []
  /** The parser for the second reading, and the places up to which text is settled and fed. */
  let again: Parser | undefined
  let settled = 0
  let fed = 0
  /** Created on the first second reading, which most replies never need. */
  let trial: Trial | undefined

  const put = (event: Event): void => {
    if (event.type === 'text') settled = event.at + event.delta.length
    const last = out.at(-1)
    if (event.type === 'text' && last?.type === 'text' && last.at + last.delta.length === event.at)
      last.delta += event.delta
    else out.push(event)
  }
  /** Reads text again from here on. */
  const start = ({ at, atLineStart }: Opening): Parser => {
    settled = at
    trial ??= trialOf(createMessage(everyProtocol, { ...options, auto: true }, 0))
    Object.assign(trial, {
      input: new Input(at, atLineStart ? '\n' : ' '),
      output: new Output(),
      turn: { finish: 'stop' },
      suspect: { value: false },
      facts: progress.afterMalformed ? { afterMalformed: true } : {},
    } satisfies Partial<Trial>)
    return readWith(trial, readAgain(trial, { openings, beginning, selected, progress, put }))
  }
  /** Ends the second reading where the text is interrupted: no call continues past it. */
  const interrupt = (): void => {
    again?.end({ finish: 'broken' })
    again = undefined
    progress.quoting = false
  }
  const takeText = (event: Extract<Event, { type: 'text' }>): void => {
    const { at, delta } = event
    if (again && fed !== at) interrupt()
    fed = at + delta.length
    let from = 0
    if (!again) {
      let next = openings[progress.next]
      while (next && next.at < at) next = openings[++progress.next]
      if (!next || next.at >= fed) return put(event)
      from = next.at - at
      if (from > 0) put({ ...event, delta: delta.slice(0, from) })
      again = start(next)
    }
    again.feed(from > 0 ? delta.slice(from) : delta)
    if (settled === fed && !progress.quoting) again = undefined
  }
  const take = (event: Event): void => {
    if (event.type === 'text' && !progress.over && event.at < answer) {
      takeText(event)
      return
    }
    if (event.type === 'end') again?.end({ finish: event.finish })
    else interrupt()
    if (event.type === 'malformed') progress.afterMalformed = true
    // After a call, a second reading is unnecessary; after a forged result, it is pointless.
    progress.over ||= event.type !== 'reasoning' && event.type !== 'malformed'
    put(event)
  }
  const takeAll = (events: Event[]): Event[] => {
    // Most text is never read a second time.
    const isIdle = progress.next === openings.length && answer === Infinity
    if (!again && (progress.over || (isIdle && events.every(isPlain)))) return events
    let at = 0
    // Once a call is found, the remaining events pass through unchanged.
    while (at < events.length && (again || !progress.over || out.at(-1)?.type === 'text'))
      take(events[at++]!)
    const taken = at < events.length ? out.concat(events.slice(at)) : out
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

/**
 * True if the character at this offset cannot open a call: a backtick or `>` in the middle of a
 * line.
 */
function isInside(input: Input, at: number): boolean {
  const code = input.code(at)
  if (code !== 96 && code !== 62) return false
  let from = at - 1
  while (input.code(from) !== 10 && from >= 0 && isSpace(input.code(from))) from--
  return from >= 0 && input.code(from) !== 10
}

/**
 * Adds an opening where a call may begin. A backtick or `>` in the middle of a line is not an
 * opening.
 */
function noteOpening({ input, output, lineBlank }: Message, openings: Opening[]): void {
  const { place, atLineStart } = input
  const code = input.code()
  if (code === 10)
    openings.push({ at: place + 1, atLineStart: true, lineBlank: true, alone: false })
  else if (lineBlank || (code !== 96 && code !== 62))
    openings.push({ at: place, atLineStart, lineBlank, alone: output.blank })
}
