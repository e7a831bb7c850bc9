import { collectReply, createParser, type Call, type Event, type Reply } from '@toolglot/core'
import type { Request } from './request.ts'

/** Parses the reply in a request. Returns a line of `parse --batch`. */
export function answer(request: Request): object {
  const { text, reasoning, calls, segments } = read(request)

  return {
    id: request.id,
    protocol: calls[0]?.protocol ?? request.requestedProtocol,
    content: text,
    reasoning,
    calls: calls.map(answerCall),
    malformed: segments
      .filter((segment) => segment.type === 'malformed')
      .map(({ problem, raw, span }) => ({ problem, raw, span })),
    segments: segments.map(({ type, span }) => ({ type, span })),
  }
}

function read({ chunks, options, finish }: Request): Reply {
  const parser = createParser(options)
  return collectReply(events())

  function* events(): Iterable<Event> {
    for (const chunk of chunks) yield* parser.feed(chunk)
    yield* parser.end(finish ? { finish } : {})
  }
}

function answerCall({ id, name, args, complete, repairs, ...call }: Call): object {
  const { inReasoning, fenced, markerless, afterMalformed, afterResult, otherProtocol } = call
  // JSON omits undefined values.
  const facts = { inReasoning, fenced, markerless, afterMalformed, afterResult, otherProtocol }
  return { id, name, arguments: args, complete, repairs, ...facts }
}
