import { read } from 'node:fs'
import { promisify } from 'node:util'

/** The byte order of the numbers in a file. */
export type ByteOrder = 'little' | 'big'

/** The file is incomplete. The message continues "it". */
export class FileEnds extends Error {}

/**
 * Reads a large file from start to end through a small window. Reading takes two steps, so that
 * short values need no promises: `load` fetches bytes, and is only needed if `has` returns false.
 */
export class FileCursor {
  /** The size of the file in bytes. */
  readonly size: number
  byteOrder: ByteOrder = 'little'
  readonly #file: number
  readonly #buffer: Uint8Array
  readonly #view: DataView
  /** The start and end of the window in the file, and the position inside the window. */
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

  /** The position of the next value in the file. */
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

  /** True if this many bytes are available in the window. */
  has(count: number): boolean {
    return this.#at + count <= this.#length
  }

  /**
   * Fetches the next bytes into the window, which has space for every value except long strings.
   */
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

  /** Skips bytes. */
  skip(count: number): void {
    if (count > this.size - this.position) throw new FileEnds(this.#ends(count))
    this.position += count
  }

  /** Reads bytes, possibly more than fit in the window. */
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

  /** Reads a number of this size from the window. */
  take<Value>(count: number, read: (view: DataView, at: number, little: boolean) => Value): Value {
    const value = read(this.#view, this.#at, this.byteOrder === 'little')
    this.#at += count
    return value
  }

  uint32(): number {
    return this.take(4, (view, at, little) => view.getUint32(at, little))
  }

  /** Reads a length or count. Infinity if it is larger than any file allows. */
  uint64(): number {
    const value = this.take(8, (view, at, little) => view.getBigUint64(at, little))
    return value > Number.MAX_SAFE_INTEGER ? Infinity : Number(value)
  }

  #ends(count: number): string {
    return `is incomplete: it has ${this.size} bytes, but ${count === Infinity ? 'far more' : `${count} more`} are needed at byte ${this.position}`
  }
}

const WINDOW = 256 << 10
const readBytes = promisify(read)

/** A value in the metadata of a GGUF file, other than a list. */
export type GgufValue = number | bigint | boolean | string

/** A list in a GGUF file. Only its position is kept. */
export interface GgufList {
  readonly type: number
  readonly count: number
  /** The position of its first element in the file. */
  readonly position: number
}

/** An error in a file. The message continues "it". */
export class GgufProblem extends Error {}

/** Reads or skips values in the metadata of a GGUF file. */
export class ValueReader {
  readonly #cursor: FileCursor
  /** The number of elements skipped one by one. */
  #walked = 0

  constructor(cursor: FileCursor) {
    this.#cursor = cursor
  }

  /**
   * Reads a value other than a list; a list is skipped. Undefined for a string that is too long.
   */
  async read(type: number): Promise<GgufValue | GgufList | undefined> {
    if (type === TEXT) return this.text()
    if (type === LIST) return this.#list(0)
    const { size, read } = numberOf(type)
    if (!this.#cursor.has(size)) await this.#cursor.load(size)
    return this.#cursor.take(size, read)
  }

  /** Skips a value without reading it. */
  async skip(type: number): Promise<void> {
    if (type === LIST) await this.#list(0)
    else await this.#skipMany(type, 1, 0)
  }

  /** Reads a string. Undefined if it is longer than the maximum. */
  async text(maxBytes: number = MAX_TEXT): Promise<string | undefined> {
    const length = await this.#count()
    if (length <= maxBytes) return decoder.decode(await this.#cursor.bytes(length))
    this.#cursor.skip(length)
    return undefined
  }

  /** The strings at certain indexes of a list, by index. Reads the list up to the last of them. */
  async textsOf(list: GgufList, places: readonly number[]): Promise<ReadonlyMap<number, string>> {
    const found = new Map<number, string>()
    if (list.type !== TEXT) return found
    const wanted = new Set(places.filter((place) => place >= 0 && place < list.count))
    const end = Math.max(-1, ...wanted) + 1
    this.#cursor.position = list.position
    for (let place = 0; place < end; place++) {
      if (wanted.has(place)) {
        const text = await this.text(MAX_TOKEN)
        if (text !== undefined) found.set(place, text)
      } else {
        const loaded = this.#skipText()
        if (loaded) await loaded
      }
    }
    return found
  }

  async #list(depth: number): Promise<GgufList> {
    if (depth > MAX_DEPTH) throw new GgufProblem(`has lists nested ${depth} levels deep`)
    const cursor = this.#cursor
    if (!cursor.has(12)) await cursor.load(12)
    const type = cursor.uint32()
    const count = cursor.uint64()
    const { position } = cursor
    await this.#skipMany(type, count, depth)
    return { type, count, position }
  }

  async #skipMany(type: number, count: number, depth: number): Promise<void> {
    if (type !== TEXT && type !== LIST) {
      this.#cursor.skip(numberOf(type).size * count)
      return
    }
    this.#walked += count
    if (this.#walked > MAX_WALKED)
      throw new GgufProblem(`has lists with more than ${MAX_WALKED} texts`)
    for (let index = 0; index < count; index++) {
      const loaded = type === TEXT ? this.#skipText() : this.#list(depth + 1)
      if (loaded) await loaded
    }
  }

  /** Returns no promise if the window contains the whole text. */
  #skipText(): Promise<void> | undefined {
    const cursor = this.#cursor
    if (!cursor.has(8)) return cursor.load(8).then(() => cursor.skip(cursor.uint64()))
    cursor.skip(cursor.uint64())
    return undefined
  }

  async #count(): Promise<number> {
    if (!this.#cursor.has(8)) await this.#cursor.load(8)
    return this.#cursor.uint64()
  }
}

interface NumberType {
  readonly size: number
  readonly read: (view: DataView, at: number, little: boolean) => number | bigint | boolean
}

function numberOf(type: number): NumberType {
  const found = NUMBERS[type]
  if (!found) throw new GgufProblem(`has a value of the unknown type ${type}`)
  return found
}

/** Indexed by the type's number in the file format. */
const NUMBERS: readonly (NumberType | undefined)[] = [
  { size: 1, read: (view, at) => view.getUint8(at) },
  { size: 1, read: (view, at) => view.getInt8(at) },
  { size: 2, read: (view, at, little) => view.getUint16(at, little) },
  { size: 2, read: (view, at, little) => view.getInt16(at, little) },
  { size: 4, read: (view, at, little) => view.getUint32(at, little) },
  { size: 4, read: (view, at, little) => view.getInt32(at, little) },
  { size: 4, read: (view, at, little) => view.getFloat32(at, little) },
  { size: 1, read: (view, at) => view.getUint8(at) !== 0 },
  undefined,
  undefined,
  { size: 8, read: (view, at, little) => view.getBigUint64(at, little) },
  { size: 8, read: (view, at, little) => view.getBigInt64(at, little) },
  { size: 8, read: (view, at, little) => view.getFloat64(at, little) },
]

const TEXT = 8
const LIST = 9

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** The maximum length of strings to read, in bytes. Chat templates are much shorter. */
const MAX_TEXT = 1 << 20
const MAX_TOKEN = 1 << 10
const MAX_DEPTH = 4
/** The largest vocabularies have 300 000 tokens and as many merges. */
const MAX_WALKED = 8 << 20
