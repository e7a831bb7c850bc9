import { MAX_LINE_CHARACTERS, MAX_SHOWN_BYTES } from '../file/load.ts'
import { decodeLegacy } from '../encoding/legacy.ts'
import { guessEncoding } from '../encoding/guess.ts'

/** A line of a file, up to the maximum length. */
interface ScannedLine {
  readonly bytes: Uint8Array
  /** Number of bytes in the whole line. */
  readonly length: number
}

/** The requested lines of a file. */
export interface ScannedLines {
  readonly lines: readonly ScannedLine[]
  /** Number of lines in the file. */
  readonly total: number
  /** True if fewer lines than requested fit. */
  readonly full: boolean
  /** True if the last line ends with a line break. */
  readonly ended: boolean
}

/** The maximum number of bytes in a line: a character has at most four. */
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
    // Copied, because the stream reuses the buffer for the next piece.
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

/** Lines as text. */
interface DecodedLines {
  readonly lines: readonly string[]
  readonly encoding: string
  /** The indexes of truncated lines. */
  readonly cut: readonly number[]
}

/** Decodes lines and cuts long ones; `known` is their encoding, guessed if missing. */
export function decodeLines(lines: readonly ScannedLine[], known?: string): DecodedLines {
  const whole = lines.map(({ bytes, length }) =>
    length > bytes.length ? withoutPartialCharacter(bytes) : bytes,
  )
  const encoding =
    known ?? guessEncoding(Buffer.concat(whole.flatMap((bytes) => [bytes, LINE_BREAK])))
  const cut: number[] = []
  const texts = whole.map((bytes, index) => {
    const text = withoutReturn(decodeLine(bytes, encoding))
    const { length } = lines[index]!
    if (text.length <= MAX_LINE_CHARACTERS && length === lines[index]!.bytes.length) return text
    cut.push(index)
    return `${beginning(text)}… [line cut: it has ${length} bytes]`
  })
  return { lines: texts, encoding, cut }
}

const LINE_BREAK = Uint8Array.of(0x0a)

function decodeLine(bytes: Uint8Array, encoding: string): string {
  const decoded = encoding === 'utf-8' ? undefined : decodeLegacy(bytes, encoding)
  return decoded ?? Buffer.from(bytes).toString('utf8')
}

/** Drops an incomplete character at the end of truncated bytes. */
function withoutPartialCharacter(bytes: Uint8Array): Uint8Array {
  let end = bytes.length
  while (end > bytes.length - 4 && bytes[end - 1]! >= 0x80) end--
  return bytes.subarray(0, end)
}

function beginning(text: string): string {
  const end = text.charCodeAt(MAX_LINE_CHARACTERS - 1)
  return text.slice(
    0,
    end >= 0xd800 && end < 0xdc00 ? MAX_LINE_CHARACTERS - 1 : MAX_LINE_CHARACTERS,
  )
}

function withoutReturn(text: string): string {
  return text.endsWith('\r') ? text.slice(0, -1) : text
}
