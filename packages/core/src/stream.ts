import type { Parser } from './parser.ts'
import type { Event } from './reply.ts'

/** What a `TransformStream` needs, without asking that there is one. */
export interface ParserTransformer {
  transform(chunk: string, controller: { enqueue(event: Event): void }): void
  flush(controller: { enqueue(event: Event): void }): void
}

/** `new TransformStream(transformer(parser))`: text in, events out. */
export function transformerOf(parser: Parser): ParserTransformer {
  return {
    transform(chunk, controller) {
      for (const event of parser.feed(chunk)) controller.enqueue(event)
    },
    flush(controller) {
      for (const event of parser.end()) controller.enqueue(event)
    },
  }
}
