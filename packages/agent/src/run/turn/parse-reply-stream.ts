import {
  createParser,
  type Event,
  type Finish,
  type ParserOptions,
  type Span,
} from '@toolglot/core'
import type { Model, ModelRequest } from '../../model/model.ts'
import type { Usage } from '../../model/usage.ts'
import { yieldToOthers } from '../../time/yield-to-others.ts'
import { NativeCalls } from './native-calls.ts'
import { TextBuffer } from './text-buffer.ts'
import { SegmentRecorder } from './segment-recorder.ts'
import type { Turn } from './turn.ts'

export interface ParseReplyOptions {
  readonly parser: ParserOptions
  /** The longest reply, in characters. */
  readonly maxLength: number
  /** Nothing behind the first call is wanted. */
  readonly stopAtFirstCall: boolean
  readonly emit: (event: ReplyEvent) => void
  /** Called whenever something comes. */
  readonly onChunk: () => void
}

export type ReplyEvent = Exclude<Event, { type: 'end' }>

/** A turn, and whether anybody counted its tokens. */
export type ParsedReply = Omit<Turn, 'usage'> & { readonly usage?: Usage }

/** Asks a model once and reads its reply as it comes. What was read before it failed is told, and then forgotten. */
export async function parseReplyStream(
  model: Pick<Model, 'reply'>,
  request: ModelRequest,
  { parser: options, maxLength, stopAtFirstCall, emit, onChunk }: ParseReplyOptions,
): Promise<ParsedReply> {
  const parser = createParser(options)
  const native = new NativeCalls(options, emit)
  const told = new SegmentRecorder()
  const text = new TextBuffer()
  const thinking = new TextBuffer()
  let length = 0
  let calls = 0
  let usage: Usage | undefined
  let finish: Finish | undefined
  /** Where what is wanted ends, once that is known. */
  let end: number | undefined

  const tell = (some: readonly Event[]): void => {
    for (const event of some) {
      if (end !== undefined) return
      told.add(event)
      if (event.type !== 'end') emit(event)
      const span = spanOf(event)
      if (!span) continue
      const isFirst = event.type === 'call-end' && event.call.complete
      if (++calls < MAX_CALLS && !(stopAtFirstCall && isFirst)) continue
      end = span[1]
    }
  }

  for await (const chunk of model.reply(request)) {
    onChunk()
    request.signal.throwIfAborted()
    if (chunk.type === 'text') {
      const delta = chunk.delta.slice(0, maxLength - length)
      for (let at = 0; at < delta.length && end === undefined; at += SLICE) {
        if (at > 0) await yieldToOthers()
        const piece = delta.slice(at, at + SLICE)
        text.add(piece)
        tell(parser.feed(piece))
      }
      length += delta.length
    } else if (chunk.type === 'reasoning') {
      const delta = chunk.delta.slice(0, maxLength - length)
      thinking.add(delta)
      emit({ type: 'reasoning', delta, at: 0 })
      length += delta.length
    } else if (chunk.type === 'call') {
      native.add(chunk)
      length += (chunk.delta?.length ?? 0) + LEAST_CALL
    } else if (chunk.type === 'usage') {
      usage = chunk.usage
    } else {
      finish = chunk.finish
    }
    if (length >= maxLength) finish = 'length'
    if (end !== undefined || length >= maxLength) break
    const pause = yieldToOthers()
    if (pause) await pause
  }
  request.signal.throwIfAborted()
  finish ??= end === undefined ? 'broken' : 'stop-string'
  tell(parser.end({ finish }))
  const made = await native.end(finish)
  const content = text.text().slice(0, end)
  const thoughts = thinking.text()
  const last = [content.length, content.length] as const
  return {
    content,
    segments: [
      ...told.segments(content),
      ...made.map((call) => ({ type: 'call' as const, span: last, call })),
    ],
    ...(thoughts !== '' && { thoughts }),
    ...(made.length > 0 && { native: true as const }),
    finish,
    ...(usage && { usage }),
  }
}

/** So much is parsed in well under a millisecond, and in some where it is full of broken calls. */
const SLICE = 2 << 10

/** How many calls of a reply are read, whether they can be or not: nobody runs more, and each takes room. */
const MAX_CALLS = 1000

/** What a piece of a call counts at least, since one that is empty takes room too. */
const LEAST_CALL = 16

/** Where a call stands, or what looks like one. */
function spanOf(event: Event): Span | undefined {
  if (event.type === 'call-end') return event.call.span
  return event.type === 'malformed' || event.type === 'result' ? event.span : undefined
}
