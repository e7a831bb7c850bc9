/** A line of input, or the fact that it was too long to keep. */
export type Line = { readonly bytes: Uint8Array } | { readonly tooLong: true }

/** More than any request needs, and less than the maximum length of a JavaScript string. */
const MAX_LINE_BYTES = 256 * 1024 * 1024

/** Splits bytes at line feeds, keeping one line in memory at a time. Skips lines of whitespace. */
export async function* linesOf(
  chunks: AsyncIterable<Uint8Array>,
  { limit = MAX_LINE_BYTES }: { limit?: number } = {},
): AsyncIterable<Line> {
  let held: Uint8Array[] = []
  let length = 0

  const hold = (bytes: Uint8Array): void => {
    length += bytes.length
    if (length > limit) held = []
    else if (bytes.length > 0) held.push(bytes)
  }
  function* release(): Iterable<Line> {
    if (length > limit) yield { tooLong: true }
    else if (held.some((bytes) => bytes.some((byte) => byte > space))) {
      yield { bytes: Buffer.concat(held) }
    }
    held = []
    length = 0
  }

  for await (const chunk of chunks) {
    let from = 0
    for (let at = chunk.indexOf(lineFeed); at >= 0; at = chunk.indexOf(lineFeed, from)) {
      hold(chunk.subarray(from, at))
      yield* release()
      from = at + 1
    }
    hold(chunk.subarray(from))
  }
  yield* release()
}

const lineFeed = 0x0a
const space = 0x20
