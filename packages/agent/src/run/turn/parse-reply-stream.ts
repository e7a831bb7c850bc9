import {
  collectReply,
  createParser,
  type Event,
  type Finish,
  type Segment,
  type Span,
} from '@toolglot/core'
import { hasWeakTrust } from '../../adapter/certain-calls.ts'
import type { ModelChunk } from '../../model/model.ts'
import type { TimedReply } from '../../model/timed-reply.ts'
import type { Usage } from '../../model/usage.ts'
import { yieldToOthers } from '../../time/yield-to-others.ts'
import type { RunCall } from '../event.ts'
import { CallIds } from './call-ids.ts'
import { NativeCalls, TextBuffer } from './native-calls.ts'
import type { Turn } from './recorded-turn.ts'
import type { ReplyRequest } from './request-reply.ts'

/** An event of a reply in progress. */
export type ReplyEvent =
  | Exclude<Event, { type: 'end' } | { type: 'call-end' }>
  | { readonly type: 'call-end'; readonly index: number; readonly call: RunCall }

/** A turn whose usage is missing if the model did not report it. */
export type ParsedReply = Omit<Turn, 'usage'> & { readonly usage?: Usage }

/** Parses a model's reply while it streams, and emits its events. */
export async function parseReplyStream(
  chunks: AsyncIterable<ModelChunk>,
  timed: TimedReply,
  { format, known, makeId, options, limits, emit, whenRead }: ReplyRequest,
): Promise<ParsedReply> {
  const { signal } = timed
  const { stopAtFirstCall = false, prefill = '' } = options
  const maxLength = limits.maxReply
  const parserOptions = {
    ...format.parserOptions,
    ...options.parser,
    ...(prefill !== '' && { prefix: prefill }),
    tools: known,
    makeId,
  }
  const parser = createParser(parserOptions)
  const ids = new CallIds(makeId)
  const native = new NativeCalls(parserOptions, ids, emit)
  const recorder = new SegmentRecorder()
  const text = new TextBuffer()
  const thinking = new TextBuffer()
  let length = 0
  let calls = 0
  let usage: Usage | undefined
  let finish: Finish | undefined
  /** The end of the text to use, once it is known. */
  let end: number | undefined
  /**
   * The end of the only call and the text after it, which may reveal that the call was an example.
   */
  let uncertainEnd: number | undefined

  const began = performance.now()
  let firstToken: number | undefined

  const handle = (events: readonly Event[]): void => {
    for (const written of events) {
      if (end !== undefined) return
      if (uncertainEnd !== undefined && OTHERS.has(written.type)) {
        end = uncertainEnd
        finish = 'stop-string'
        return
      }
      const event = ids.event(written)
      if (uncertainEnd !== undefined && event.type === 'text')
        uncertainEnd = event.at + event.delta.length
      recorder.add(event)
      if (event.type !== 'end') emit(event)
      const span = callSpan(event)
      if (!span) continue
      const isOnlyCall = stopAtFirstCall && event.type === 'call-end' && event.call.complete
      if (++calls < MAX_CALLS) {
        if (isOnlyCall && hasWeakTrust(event.call)) uncertainEnd = span[1]
        if (!isOnlyCall || uncertainEnd !== undefined) continue
      }
      end = span[1]
      finish = calls < MAX_CALLS ? 'stop-string' : 'length'
    }
  }

  const pause = (): Promise<void> | undefined => {
    const read = whenRead?.()
    return read ? timed.waitForReader(read) : yieldToOthers()
  }

  for await (const chunk of withTimes(chunks, timed)) {
    signal.throwIfAborted()
    firstToken ??= performance.now() - began
    if (chunk.type === 'text') {
      const delta = chunk.delta.slice(0, maxLength - length)
      for (let at = 0; at < delta.length && end === undefined; at += SLICE) {
        if (at > 0) await pause()
        const slice = delta.slice(at, at + SLICE)
        text.add(slice)
        handle(parser.feed(slice))
      }
      length += delta.length
    } else if (chunk.type === 'reasoning') {
      const delta = chunk.delta.slice(0, maxLength - length)
      thinking.add(delta)
      emit({ type: 'reasoning', delta, at: 0 })
      length += delta.length
    } else if (chunk.type === 'call') {
      native.add(chunk)
      length += (chunk.delta?.length ?? 0) + MIN_CALL_LENGTH
    } else if (chunk.type === 'usage') {
      usage = chunk.usage
    } else if (chunk.type === 'finish') {
      finish = chunk.finish
    }
    if (length >= maxLength) finish = 'length'
    if (end !== undefined || length >= maxLength) break
    const others = pause()
    if (others) await others
  }
  signal.throwIfAborted()
  finish ??= 'broken'
  handle(parser.end({ finish }))
  const nativeCalls = await native.end(finish)
  const content = text.toString().slice(0, end)
  const thoughts = thinking.toString()
  const last = [content.length, content.length] as const
  return {
    content,
    segments: [
      ...recorder.segments(content),
      ...nativeCalls.map((call) => ({ type: 'call' as const, span: last, call })),
    ],
    ...(thoughts !== '' && { thoughts }),
    ...(nativeCalls.length > 0 && { native: true as const }),
    finish,
    ...(usage && { usage }),
    ...(firstToken !== undefined && { firstToken: Math.round(firstToken) }),
    duration: Math.round(performance.now() - began),
  }
}

/** A hand-written iterator, because a generator would create several promises for each chunk. */
function withTimes(
  chunks: AsyncIterable<ModelChunk>,
  timed: TimedReply,
): AsyncIterable<ModelChunk> {
  const iterator = chunks[Symbol.asyncIterator]()
  return {
    [Symbol.asyncIterator]: () => ({
      next: () => timed.waitFor(iterator.next()),
      async return() {
        await iterator.return?.()
        return { done: true, value: undefined }
      },
    }),
  }
}

/**
 * Small enough that parsing it never blocks the thread for long, even if it is full of malformed
 * calls.
 */
const SLICE = 128

/**
 * The maximum number of calls to parse per reply, including malformed ones, so that they cannot
 * fill the memory.
 */
const MAX_CALLS = 1000

/** Events that end a reply after its only call. */
const OTHERS: ReadonlySet<Event['type']> = new Set(['call-start', 'malformed', 'result'])

/**
 * The minimum length that a chunk of a call counts for, because even an empty chunk uses memory.
 */
const MIN_CALL_LENGTH = 16

/** The span of a call, or of text that looks like a call. */
function callSpan(event: Event): Span | undefined {
  if (event.type === 'call-end') return event.call.span
  return event.type === 'malformed' || event.type === 'result' ? event.span : undefined
}

/**
 * Keeps the events of a reply for its segments. Text in many pieces uses as little memory as a
 * single piece.
 */
export class SegmentRecorder {
  readonly #items: (TextRange | Exclude<Event, { type: 'text' } | { type: 'reasoning' }>)[] = []

  add(event: Event): void {
    if (event.type === 'call-start' || event.type === 'call-delta') return
    if (event.type !== 'text' && event.type !== 'reasoning') {
      this.#items.push(event)
      return
    }
    const { type, at, delta } = event
    const last = this.#items.at(-1)
    if (last?.type === type && last.to === at) last.to += delta.length
    else this.#items.push({ type, at, to: at + delta.length })
  }

  /** Returns the segments of the reply with this content. */
  segments(content: string): readonly Segment[] {
    return collectReply(
      this.#items.map((item): Event =>
        'to' in item
          ? { type: item.type, delta: content.slice(item.at, item.to), at: item.at }
          : item,
      ),
    ).segments
  }
}

/** A range of contiguous text or reasoning. */
interface TextRange {
  readonly type: 'text' | 'reasoning'
  readonly at: number
  to: number
}
