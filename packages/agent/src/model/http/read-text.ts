/** The reason why a response body could not be read. */
export type BodyProblem = 'too_long' | 'not_utf8' | 'cut_off'

/** A response body that could not be read as text. */
export class BodyError extends Error {
  readonly problem: BodyProblem
  /** The error thrown by the transport. */
  readonly thrown: unknown

  constructor(problem: BodyProblem, thrown?: unknown) {
    super(problem)
    this.problem = problem
    this.thrown = thrown
  }
}

/** Streams a body as text, up to a maximum size. Leaving the loop closes the connection. */
export async function* readText(
  body: ReadableStream<Uint8Array> | null,
  {
    maxBytes,
    waitFor = (work) => work,
  }: {
    readonly maxBytes: number
    /** Waits for the next piece. Allows the caller to apply a time limit. */
    readonly waitFor?: <Piece>(work: Promise<Piece>) => Promise<Piece>
  },
): AsyncGenerator<string, void, void> {
  if (!body) return
  const reader = body.getReader()
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let bytes = 0
  try {
    for (;;) {
      const { done, value } = await waitFor(reader.read()).catch((thrown: unknown) => {
        throw new BodyError('cut_off', thrown)
      })
      if (done) return
      bytes += value.length
      if (bytes > maxBytes) throw new BodyError('too_long')
      const text = decodeChunk(decoder, value)
      if (text !== '') yield text
    }
  } finally {
    // After a failure, there is nothing left to cancel.
    void reader.cancel().catch(() => undefined)
  }
}

/** Reads a whole body as text, up to a maximum size. */
export async function readWholeText(response: Response, maxBytes: number): Promise<string> {
  let all = ''
  for await (const text of readText(response.body, { maxBytes })) all += text
  return all
}

/**
 * A character may be split between two chunks. An incomplete character at the end of the body is
 * dropped.
 */
function decodeChunk(decoder: InstanceType<typeof TextDecoder>, bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes, { stream: true })
  } catch {
    // The body is not UTF-8.
    throw new BodyError('not_utf8')
  }
}
