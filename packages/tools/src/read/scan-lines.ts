import { LINE_CHARACTERS, SHOWN_BYTES } from '../file/limits.ts'

/** A line of a file, or as much of it as is shown. */
export interface Line {
  readonly bytes: Uint8Array
  /** How many bytes the whole line has. */
  readonly length: number
}

export interface Scan {
  readonly lines: readonly Line[]
  readonly total: number
  /** The window was closed by its size, not by the number of its lines. */
  readonly full: boolean
  /** The last line has an end of its own. */
  readonly ended: boolean
}

/** More than this of a line is never shown: a character has four bytes at most. */
const KEPT = LINE_CHARACTERS * 4

const LINE_FEED = 0x0a

/** Picks some lines out of a stream and counts the others: what is held is what is shown. */
export async function scanLines(
  pieces: AsyncIterable<Uint8Array>,
  { offset, limit, signal }: { offset: number; limit: number; signal?: AbortSignal },
): Promise<Scan> {
  const lines: Line[] = []
  let number = 1
  let length = 0
  let kept: Uint8Array[] = []
  let keptBytes = 0
  let shown = 0
  let full = false
  const isShown = (): boolean => number >= offset && lines.length < limit && !full

  for await (const piece of pieces) {
    signal?.throwIfAborted()
    for (let start = 0; start < piece.length;) {
      const found = piece.indexOf(LINE_FEED, start)
      const end = found < 0 ? piece.length : found
      if (isShown()) keep(piece.subarray(start, end))
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
    const room = KEPT - keptBytes
    if (room <= 0) return
    // The piece is used again for the next one.
    kept.push(Uint8Array.from(bytes.subarray(0, room)))
    keptBytes += Math.min(room, bytes.length)
  }

  function finish(): void {
    if (isShown()) {
      const size = Math.min(keptBytes, LINE_CHARACTERS) + 1
      // One line is always shown, so that the next window goes on behind it.
      if (lines.length > 0 && shown + size > SHOWN_BYTES) full = true
      else lines.push({ bytes: Buffer.concat(kept), length })
      shown += size
    }
    number++
    length = 0
    kept = []
    keptBytes = 0
  }
}
