import { read } from 'node:fs'
import { promisify } from 'node:util'

/** The order of the bytes of a number in a file. */
export type ByteOrder = 'little' | 'big'

/** A file ended before what was expected in it. The message completes "the file". */
export class FileEnds extends Error {}

/**
 * Reads a large file from start to end through a small window. Reading takes two steps, so that the many short values of
 * a file take no promise each: `load` makes bytes available, and only if `has` says that they are not.
 */
export class FileCursor {
  /** The size of the file in bytes. */
  readonly size: number
  byteOrder: ByteOrder = 'little'
  readonly #file: number
  readonly #buffer: Uint8Array
  readonly #view: DataView
  /** Where the window starts in the file, where it ends, and the position in it. */
  #start = 0
  #length = 0
  #at = 0

  /** `file` is the descriptor of an open file. */
  constructor(file: number, size: number) {
    this.#file = file
    this.size = size
    this.#buffer = new Uint8Array(Math.min(WINDOW, size))
    this.#view = new DataView(this.#buffer.buffer)
  }

  /** Where the next value starts in the file. */
  get position(): number {
    return this.#start + this.#at
  }

  set position(to: number) {
    const at = to - this.#start
    if (at >= 0 && at <= this.#length) {
      this.#at = at
      return
    }
    this.#start = to
    this.#length = 0
    this.#at = 0
  }

  /** Whether the next bytes are in the window. */
  has(count: number): boolean {
    return this.#at + count <= this.#length
  }

  /** Reads the next bytes into the window, which has space for any value but a long text. */
  async load(count: number): Promise<void> {
    if (count > this.size - this.position) throw new FileEnds(this.#ends(count))
    const rest = this.#buffer.subarray(this.#at, this.#length)
    this.#start += this.#at
    this.#buffer.set(rest)
    this.#at = 0
    this.#length = rest.length
    while (this.#length < count) {
      const { bytesRead } = await readBytes(
        this.#file,
        this.#buffer,
        this.#length,
        this.#buffer.length - this.#length,
        this.#start + this.#length,
      )
      if (bytesRead === 0) throw new FileEnds(this.#ends(count))
      this.#length += bytesRead
    }
  }

  /** Moves on without reading. */
  skip(count: number): void {
    if (count > this.size - this.position) throw new FileEnds(this.#ends(count))
    this.position += count
  }

  /** Reads bytes that may be more than the window has. */
  async bytes(count: number): Promise<Uint8Array> {
    if (count > this.size - this.position) throw new FileEnds(this.#ends(count))
    const bytes = new Uint8Array(count)
    for (let length = 0; length < count;) {
      if (!this.has(1)) await this.load(1)
      const piece = this.#buffer.subarray(
        this.#at,
        Math.min(this.#length, this.#at + count - length),
      )
      bytes.set(piece, length)
      length += piece.length
      this.#at += piece.length
    }
    return bytes
  }

  /** Takes a number of these bytes from the window. */
  take<Value>(count: number, read: (view: DataView, at: number, little: boolean) => Value): Value {
    const value = read(this.#view, this.#at, this.byteOrder === 'little')
    this.#at += count
    return value
  }

  uint32(): number {
    return this.take(4, (view, at, little) => view.getUint32(at, little))
  }

  /** A length or a count. One that no file can have is read as Infinity. */
  uint64(): number {
    const value = this.take(8, (view, at, little) => view.getBigUint64(at, little))
    return value > Number.MAX_SAFE_INTEGER ? Infinity : Number(value)
  }

  #ends(count: number): string {
    return `ends after ${this.size} bytes, but ${count === Infinity ? 'far more' : count} are expected from byte ${this.position} on`
  }
}

const WINDOW = 256 << 10
const readBytes = promisify(read)
