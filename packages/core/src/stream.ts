import { checkOptions, type ParserOptions } from './options.ts'
import type { Parser } from './parser.ts'
import type { Event, Finish } from './reply.ts'

/** A chunk of a streamed reply: text or, at the end, how it ended. */
export type Chunk = string | { readonly finish: Finish }

/**
 * The ending of a stream: a value, a promise, or a function that is called at the end. A chunk with
 * `finish` takes precedence.
 */
export type StreamFinish = Known | PromiseLike<Known> | (() => Known | PromiseLike<Known>)

/** Undefined means `stop`. */
type Known = Finish | undefined

/** Options for reading a stream. */
export type StreamOptions = ParserOptions & { readonly finish?: StreamFinish | undefined }

/** A parser that reads from a stream. */
export interface StreamParser {
  feed(chunk: Chunk): Event[]
  /** Ends the stream. Rejects if `finish` does. */
  end(): Promise<Event[]>
  /** Reports that the stream failed: an open call is incomplete. */
  fail(): Event[]
}

/** A parser for chunks, the last of which may state how the stream ended. */
export function streamParser(parser: Parser, finish: StreamFinish): StreamParser {
  if (typeof finish === 'object') {
    // Handles its rejection if the stream fails first.
    void Promise.resolve(finish).catch(() => {})
  } else if (typeof finish !== 'function') checkOptions({ finish })
  let last: Known
  return {
    feed(chunk) {
      if (!isEnd(chunk)) return parser.feed(chunk)
      checkOptions({ finish: chunk.finish })
      // Once the finish reason is anything but `stop`, later chunks cannot change it.
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

/**
 * Reads a stream as events. If it throws, the parser reports the text so far as broken and rethrows
 * the error.
 */
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

/**
 * A transformer for a `TransformStream`, without depending on that type. If the stream is aborted,
 * no call is completed.
 */
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
