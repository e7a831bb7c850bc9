import type { FileCursor } from './file-cursor.ts'

/** A value of a GGUF file's metadata that is not a list. */
export type GgufValue = number | bigint | boolean | string

/** A list in a GGUF file, which is not read but remembered. */
export interface GgufList {
  readonly type: number
  readonly count: number
  /** Where its first element starts in the file. */
  readonly position: number
}

/** What is wrong with a file. The message completes "the file". */
export class GgufProblem extends Error {}

/** Reads the values of a GGUF file's metadata, or skips them. */
export class ValueReader {
  readonly #cursor: FileCursor
  /** How many elements were walked over, one by one. */
  #walked = 0

  constructor(cursor: FileCursor) {
    this.#cursor = cursor
  }

  /** Reads a value, and skips a list. Undefined for a text that is too long. */
  async read(type: number): Promise<GgufValue | GgufList | undefined> {
    if (type === TEXT) return this.text()
    if (type === LIST) return this.#list(0)
    const { size, read } = numberOf(type)
    if (!this.#cursor.has(size)) await this.#cursor.load(size)
    return this.#cursor.take(size, read)
  }

  /** Skips a value without looking at it. */
  async skip(type: number): Promise<void> {
    if (type === LIST) await this.#list(0)
    else await this.#skipMany(type, 1, 0)
  }

  /** Reads a text; undefined, if it is longer than the maximum. */
  async text(maxBytes: number = MAX_TEXT): Promise<string | undefined> {
    const length = await this.#count()
    if (length <= maxBytes) return decoder.decode(await this.#cursor.bytes(length))
    this.#cursor.skip(length)
    return undefined
  }

  /** The texts at some places of a list, by their place. The list is read up to the last of them. */
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
    if (depth > MAX_DEPTH) throw new GgufProblem(`has lists inside lists, ${depth} deep`)
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

  /** Awaits nothing while the window has what is needed. */
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

/** By the number of the type. */
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

/** The longest text that is read, in bytes: a chat template is much shorter. */
const MAX_TEXT = 1 << 20
const MAX_TOKEN = 1 << 10
const MAX_DEPTH = 4
/** The largest vocabularies have 300 000 tokens and as many merges. */
const MAX_WALKED = 8 << 20
