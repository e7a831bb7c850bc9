import { MAX_LINE_CHARACTERS, MAX_SHOWN_BYTES } from '../file/limits.ts'

/** A line of a file, or as much of it as can be shown. */
export interface ScannedLine {
  readonly bytes: Uint8Array
  /** Number of bytes in the whole line. */
  readonly length: number
}

/** The requested lines of a file. */
export interface ScannedLines {
  readonly lines: readonly ScannedLine[]
  /** Number of lines in the file. */
  readonly total: number
  /** Whether fewer lines than requested fit. */
  readonly full: boolean
  /** Whether the last line ends with a line break. */
  readonly ended: boolean
}

/** More bytes of a line are never shown: a character has at most four. */
const MAX_LINE_BYTES = MAX_LINE_CHARACTERS * 4

const LINE_FEED = 0x0a

/** Picks some lines from a stream and counts the rest. Only the picked lines are held in memory. */
export async function scanLines(
  pieces: AsyncIterable<Uint8Array>,
  { offset, limit, signal }: { offset: number; limit: number; signal?: AbortSignal },
): Promise<ScannedLines> {
  const lines: ScannedLine[] = []
  let number = 1
  let length = 0
  let kept: Uint8Array[] = []
  let keptBytes = 0
  let pickedBytes = 0
  let full = false
  const isPicked = (): boolean => number >= offset && lines.length < limit && !full

  for await (const piece of pieces) {
    signal?.throwIfAborted()
    for (let start = 0; start < piece.length;) {
      const found = piece.indexOf(LINE_FEED, start)
      const end = found < 0 ? piece.length : found
      if (isPicked()) keep(piece.subarray(start, end))
      length += end - start
      if (found < 0) break
      finish()
      start = end + 1
    }
  }
  const ended = length === 0 && number > 1
  if (length > 0) finish()
  return { lines, total: number - 1, full, ended }

  function keep(bytes: Uint8Array): void {
    const room = MAX_LINE_BYTES - keptBytes
    if (room <= 0) return
    // Copied: the stream reuses the buffer for the next piece.
    kept.push(Uint8Array.from(bytes.subarray(0, room)))
    keptBytes += Math.min(room, bytes.length)
  }

  function finish(): void {
    if (isPicked()) {
      const size = Math.min(keptBytes, MAX_LINE_CHARACTERS) + 1
      // At least one line is picked, so that the next read can continue after it.
      if (lines.length > 0 && pickedBytes + size > MAX_SHOWN_BYTES) full = true
      else lines.push({ bytes: Buffer.concat(kept), length })
      pickedBytes += size
    }
    number++
    length = 0
    kept = []
    keptBytes = 0
  }
}
