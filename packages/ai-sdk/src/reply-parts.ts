import type {
  LanguageModelV3Content,
  LanguageModelV3StreamPart,
  LanguageModelV3FinishReason,
  LanguageModelV3GenerateResult,
} from '@ai-sdk/provider'
import {
  type CallAsText,
  certainCalls,
  finishOf,
  SegmentRecorder,
  yieldToOthers,
} from '@toolglot/agent/adapter/internal'
import { createParser, type Event, restoreCalls, wholeCalls } from '@toolglot/core'
import { ReplyWriter } from './reply-writer.ts'
import type { Reading } from './request.ts'

type Piece = Extract<Event, { type: 'call-delta' }>

/**
 * The minimum length of a piece. Shorter ones are joined, because passing on a piece costs as much
 * as this many characters.
 */
const LENGTH = 32

/**
 * Joins the short pieces of a call's arguments. All other parts are passed on immediately, after
 * any held piece.
 */
class PieceJoiner {
  #held: Piece | undefined;

  /** Takes events and yields those to pass on now. */
  *join(events: Iterable<Event>): Generator<Event, void> {
    for (const event of events) {
      if (event.type !== 'call-delta') {
        yield* this.end()
        yield event
        continue
      }
      if (this.#held && this.#held.index !== event.index) yield* this.end()
      const delta = (this.#held?.delta ?? '') + event.delta
      this.#held = { ...event, delta }
      if (delta.length >= LENGTH) yield* this.end()
    }
  }

  /** Yields the held piece. */
  *end(): Generator<Event, void> {
    const held = this.#held
    this.#held = undefined
    if (held) yield held
  }
}

/** A part of a stream or of a whole reply. */
export type ReplyPart = LanguageModelV3StreamPart | LanguageModelV3Content

/**
 * Something in a reply: an event from its text, or another part, which is kept unchanged in its
 * place.
 */
export type ReplyEvent = Event | CallAsText | OtherPart

interface OtherPart {
  readonly type: 'other'
  readonly part: ReplyPart
}

/**
 * The parts of a reply, including the calls in its text. If the source fails, all received parts
 * are passed on before the error.
 */
export async function* replyParts(
  parts: AsyncIterable<ReplyPart>,
  reading: Reading,
): AsyncGenerator<ReplyPart, void, void> {
  const { guard, streamArguments, callsInProse } = reading
  const writer = new ReplyWriter(reading)
  const recorder = new SegmentRecorder()
  const events = certainCalls<OtherPart>(readText(parts, reading, writer, recorder), {
    callsInProse,
    repairs: reading.parser.repairs,
    endOf(event) {
      if (event.type !== 'end') return undefined
      const content = writer.written
      return { content, segments: recorder.segments(content), finish: event.finish }
    },
  })
  const shown = streamArguments ? events : wholeCalls<OtherPart | CallAsText>(events)
  try {
    for await (const event of restoreCalls<OtherPart | CallAsText>(shown, guard))
      yield* writer.write(event)
  } catch (error) {
    yield* writer.end()
    throw error
  }
  yield* writer.end()
}

/** Parses the text in the parts of a reply. */
async function* readText(
  parts: AsyncIterable<ReplyPart>,
  { parser: options }: Reading,
  writer: ReplyWriter,
  recorder: SegmentRecorder,
): AsyncGenerator<Event | OtherPart, void, void> {
  // Models may repeat ids, so the writer gives each call its own.
  const parser = createParser({ ...options, makeId: () => '' })
  const pieces = new PieceJoiner()
  let isOver = false
  const read = (events: readonly Event[]): Iterable<Event> => {
    for (const event of events) recorder.add(event)
    return pieces.join(events)
  }
  try {
    for await (const part of parts) {
      if (part.type === 'text-delta') {
        const { delta } = part
        writer.written += delta
        for (let at = 0; at < delta.length; at += SLICE) {
          const others = yieldToOthers()
          if (others) await others
          yield* read(parser.feed(delta.slice(at, at + SLICE)))
        }
      } else if (part.type === 'finish') {
        isOver = true
        yield* read(parser.end({ finish: finishOf(part.finishReason.unified) }))
        yield* pieces.end()
        yield { type: 'other', part }
      } else {
        yield* pieces.end()
        yield { type: 'other', part }
      }
    }
  } catch (error) {
    if (!isOver) yield* read(parser.end({ finish: 'broken' }))
    throw error
  }
  if (!isOver) yield* read(parser.end({ finish: 'broken' }))
}

/** Small enough that parsing never blocks the thread for long, even with many malformed calls. */
const SLICE = 128

/** A whole reply as the parts of a stream. Parts other than text are the same in both. */
export async function* contentParts({
  content,
  finishReason,
  usage,
}: LanguageModelV3GenerateResult): AsyncGenerator<ReplyPart, void, void> {
  for (const item of content) {
    if (item.type === 'text') {
      yield { type: 'text-start', id: '' }
      yield { type: 'text-delta', id: '', delta: item.text }
      yield { type: 'text-end', id: '' }
    } else yield item
  }
  yield { type: 'finish', finishReason, usage }
}

/** The content of a whole reply. */
export async function collectContent(
  parts: AsyncIterable<ReplyPart>,
): Promise<Pick<LanguageModelV3GenerateResult, 'content' | 'finishReason'>> {
  const content: LanguageModelV3Content[] = []
  /** The open text or reasoning, with its starting position. */
  let block = { type: 'text' as 'text' | 'reasoning', text: '' }
  let finishReason: LanguageModelV3FinishReason = { unified: 'other', raw: undefined }
  for await (const part of parts) {
    switch (part.type) {
      case 'text-end':
      case 'reasoning-end':
      case 'tool-input-start':
      case 'tool-input-delta':
      case 'tool-input-end':
        break
      case 'text-start':
      case 'reasoning-start':
        block = { type: part.type === 'text-start' ? 'text' : 'reasoning', text: '' }
        content.push(block)
        break
      case 'text-delta':
      case 'reasoning-delta':
        block.text += part.delta
        break
      case 'finish':
        ;({ finishReason } = part)
        break
      default:
        content.push(part as LanguageModelV3Content)
    }
  }
  return { content, finishReason }
}
