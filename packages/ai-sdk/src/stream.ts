import type { ReplyPart } from './reply-parts.ts'

type Reader = ReadableStreamDefaultReader<ReplyPart>

/**
 * The parts of a stream, which is cancelled if they are not read to the end. An iterator, and not a generator, which takes
 * several promises for each part.
 */
export function partsIn(reader: Reader): AsyncIterable<ReplyPart> {
  return {
    [Symbol.asyncIterator]: () => ({
      next: () => reader.read(),
      async return() {
        // Whoever stops reading does not wait for it, and has the error that matters.
        reader.cancel().catch(() => {})
        return { done: true, value: undefined }
      },
    }),
  }
}

/** A stream of parts that are made while it is read. Cancelling it cancels the one they are made of. */
export function streamOf(
  parts: AsyncGenerator<ReplyPart, void, void>,
  source: Reader,
): ReadableStream<ReplyPart> {
  return new ReadableStream<ReplyPart>({
    async pull(controller) {
      const { done, value } = await parts.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    // A generator that waits for its source could only be ended afterwards.
    cancel: (reason) => source.cancel(reason),
  })
}
