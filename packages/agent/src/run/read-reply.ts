import { collect, createParser, type Event, type Finish, type ParserOptions } from '@toolglot/core'
import type { Model, ModelRequest } from '../model/model.ts'
import type { Usage } from '../model/usage.ts'
import { breathe } from './breathe.ts'
import { NativeCalls } from './native-calls.ts'
import type { Turn } from './turn.ts'

export interface ReadOptions {
  readonly parser: ParserOptions
  /** The longest reply, in characters. */
  readonly most: number
  /** Nothing behind the first call is wanted. */
  readonly stopAtFirstCall: boolean
  readonly emit: (event: ReplyEvent) => void
}

export type ReplyEvent = Exclude<Event, { type: 'end' }>

/** A turn, and whether anybody counted its tokens. */
export type Read = Omit<Turn, 'usage'> & { readonly usage?: Usage }

/** Asks a model once and reads its reply as it comes. What was read before it failed is told, and then forgotten. */
export async function readReply(
  model: Pick<Model, 'reply'>,
  request: ModelRequest,
  { parser: options, most, stopAtFirstCall, emit }: ReadOptions,
): Promise<Read> {
  const parser = createParser(options)
  const native = new NativeCalls(options, emit)
  const events: Event[] = []
  const stop = new AbortController()
  const signal = AbortSignal.any([request.signal, stop.signal])
  let content = ''
  let thoughts = ''
  let usage: Usage | undefined
  let finish: Finish | undefined
  let over = false

  const tell = (some: readonly Event[]): void => {
    for (const event of some) {
      if (over) return
      events.push(event)
      if (event.type !== 'end') emit(event)
      if (stopAtFirstCall && event.type === 'call-end' && event.call.complete) {
        over = true
        content = content.slice(0, event.call.span[1])
      }
    }
  }

  try {
    for await (const chunk of model.reply({ ...request, signal })) {
      request.signal.throwIfAborted()
      if (chunk.type === 'text') {
        const delta = chunk.delta.slice(0, most - content.length)
        for (let at = 0; at < delta.length && !over; at += SLICE) {
          const piece = delta.slice(at, at + SLICE)
          content += piece
          tell(parser.feed(piece))
          await breathe()
        }
        if (content.length >= most) finish = 'length'
      } else if (chunk.type === 'reasoning') {
        if (thoughts.length < most) thoughts += chunk.delta
        emit({ type: 'reasoning', delta: chunk.delta, at: 0 })
      } else if (chunk.type === 'call') {
        native.add(chunk)
      } else if (chunk.type === 'usage') {
        usage = chunk.usage
      } else {
        finish = chunk.finish
      }
      if (over || content.length >= most) break
    }
  } finally {
    // Whoever sends more than is wanted, or is no longer heard, is not listened to.
    stop.abort()
  }
  request.signal.throwIfAborted()
  finish ??= over ? 'stop-string' : 'broken'
  tell(parser.end({ finish }))
  const made = native.end(finish)
  const { segments } = collect(events)
  const end = content.length
  return {
    content,
    segments: [
      ...segments,
      ...made.map((call) => ({ type: 'call' as const, span: [end, end] as const, call })),
    ],
    ...(thoughts !== '' && { thoughts }),
    ...(made.length > 0 && { native: true as const }),
    finish,
    ...(usage && { usage }),
  }
}

/** So much is parsed in well under a millisecond. */
const SLICE = 16 << 10
