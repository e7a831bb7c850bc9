/** What went wrong with a body while it was read. */
export type BodyProblem = 'too_long' | 'not_utf8' | 'cut_off'

export class BodyError extends Error {
  readonly problem: BodyProblem
  /** What the transport threw. */
  readonly thrown: unknown

  constructor(problem: BodyProblem, thrown?: unknown) {
    super(problem)
    this.problem = problem
    this.thrown = thrown
  }
}

/** The text of a body as it comes, of at most so many bytes. Leaving the loop ends the connection. */
export async function* readText(
  body: ReadableStream<Uint8Array> | null,
  {
    maxBytes,
    next = (work) => work,
  }: {
    readonly maxBytes: number
    /** Waits for the next piece. */
    readonly next?: <Piece>(work: Promise<Piece>) => Promise<Piece>
  },
): AsyncGenerator<string, void, void> {
  if (!body) return
  const reader = body.getReader()
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let bytes = 0
  try {
    for (;;) {
      const { done, value } = await next(reader.read()).catch((thrown: unknown) => {
        throw new BodyError('cut_off', thrown)
      })
      if (done) return
      bytes += value.length
      if (bytes > maxBytes) throw new BodyError('too_long')
      const text = decode(decoder, value)
      if (text !== '') yield text
    }
  } finally {
    // Nothing is left to cancel where it failed.
    void reader.cancel().catch(() => undefined)
  }
}

/** All of a short text. */
export async function readAll(response: Response, maxBytes: number): Promise<string> {
  let all = ''
  for await (const text of readText(response.body, { maxBytes })) all += text
  return all
}

/** A character may be cut between two chunks; where the body ends in one, what is missing was never sent. */
function decode(decoder: InstanceType<typeof TextDecoder>, bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes, { stream: true })
  } catch {
    // Not UTF-8.
    throw new BodyError('not_utf8')
  }
}
