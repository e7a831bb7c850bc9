import { checkOptions, type ParserOptions } from './options.ts'
import type { Parser } from './parser.ts'
import type { Event, Finish } from './reply.ts'

/** A piece of a streamed reply: text; or, when it is over, how it ended. */
export type Chunk = string | { readonly finish: Finish }

/** How a stream ended: known before, promised, or asked for when it is over. What a chunk says goes before it. */
export type StreamFinish = Known | PromiseLike<Known> | (() => Known | PromiseLike<Known>)

/** Undefined: by itself. */
type Known = Finish | undefined

export type StreamOptions = ParserOptions & { readonly finish?: StreamFinish }

/** A parser whose reply comes from a stream. */
export interface StreamParser {
  feed(chunk: Chunk): Event[]
  /** The stream is over. Rejects where how it ended cannot be known. */
  end(): Promise<Event[]>
  /** It ended with an error: nothing that is open is complete. */
  fail(): Event[]
}

export function streamParser(parser: Parser, finish: StreamFinish): StreamParser {
  if (typeof finish === 'object') {
    // Where the stream fails, nobody waits for it.
    void Promise.resolve(finish).catch(() => {})
  } else if (typeof finish !== 'function') checkOptions({ finish })
  let last: Known
  return {
    feed(chunk) {
      if (!isEnd(chunk)) return parser.feed(chunk)
      checkOptions({ finish: chunk.finish })
      // An end that is no stop by itself stays one, whatever comes after it.
      if (last === undefined || last === 'stop') last = chunk.finish
      return []
    },
    async end() {
      const known = last ?? (await (typeof finish === 'function' ? finish() : finish))
      checkOptions({ finish: known })
      return parser.end(known === undefined ? undefined : { finish: known })
    },
    fail: () => parser.end({ finish: 'broken' }),
  }
}

function isEnd(chunk: unknown): chunk is Exclude<Chunk, string> {
  return typeof chunk === 'object' && chunk !== null && 'finish' in chunk
}

/** A stream as events. Where it throws, what came is told as broken off, and then the error is thrown on. */
export async function* readStream(
  parser: StreamParser,
  chunks: AsyncIterable<Chunk> | Iterable<Chunk>,
): AsyncIterable<Event> {
  try {
    for await (const chunk of chunks) yield* parser.feed(chunk)
    yield* await parser.end()
  } catch (error) {
    yield* parser.fail()
    throw error
  }
}

/** What a `TransformStream` needs, without asking that there is one. Where it is aborted, no call ends. */
export interface ParserTransformer {
  transform(chunk: Chunk, controller: Controller): void
  flush(controller: Controller): Promise<void>
}

type Controller = { enqueue(event: Event): void }

/** `new TransformStream(transformerOf(parser))`: text in, events out. */
export function transformerOf(parser: StreamParser): ParserTransformer {
  return {
    transform(chunk, controller) {
      for (const event of parser.feed(chunk)) controller.enqueue(event)
    },
    async flush(controller) {
      for (const event of await parser.end()) controller.enqueue(event)
    },
  }
}
