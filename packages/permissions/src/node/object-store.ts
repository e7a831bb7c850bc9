import { closeSync, readdirSync, readSync } from 'node:fs'
import { inflateSync } from 'node:zlib'
import { openRegularFile, readBytes } from './read-file.ts'

/** A git object: a commit, a tree, a file or a tag. */
export interface GitObject {
  readonly type: ObjectType
  readonly content: Buffer
}

type ObjectType = 'commit' | 'tree' | 'blob' | 'tag'

/** The maximum size of an object. */
const MAX_OBJECT = 10_000_000
/** The maximum number of objects. A commit with too many files has more trees than this. */
const MAX_READ = 5000
/**
 * The maximum total size of objects, including the bases of deltas. A malicious repository could
 * take very long otherwise.
 */
const MAX_BYTES = 64_000_000
const MAX_PACKS = 100
const MAX_DELTAS = 100

/**
 * Reads objects of a repository by their SHA-1 hashes. Undefined if an object is missing or too
 * large, or too many were read.
 */
export class ObjectStore {
  readonly #folder: string
  readonly #packs: readonly Pack[]
  #left = MAX_READ
  #bytes = MAX_BYTES

  /** `folder` is the `objects` folder. Opened files are closed by the owner of `files`. */
  constructor(folder: string, files: OpenFiles) {
    this.#folder = folder
    this.#packs = packsIn(`${folder}/pack`, files)
  }

  read(hash: string): GitObject | undefined {
    if (this.#left-- <= 0) return undefined
    const own = readBytes(`${this.#folder}/${hash.slice(0, 2)}/${hash.slice(2)}`, MAX_OBJECT)
    if (own) {
      this.#take(own.length)
      const all = inflateSync(own, { maxOutputLength: Math.min(MAX_OBJECT, this.#bytes + 1) })
      this.#take(all.length)
      return looseObject(all)
    }
    for (const pack of this.#packs) {
      const at = pack.offsetOf(hash)
      if (at !== undefined) return this.#packed(pack, at, MAX_DELTAS)
    }
    return undefined
  }

  #packed(pack: Pack, at: number, deltas: number): GitObject | undefined {
    const { kind, size, start } = pack.header(at)
    const type = TYPES[kind]
    if (type) return { type, content: pack.inflate(start, this.#take(size)) }
    if (deltas <= 0) return undefined
    if (kind === OFFSET_DELTA) {
      const { value, end } = pack.offset(start)
      return this.#patched(this.#packed(pack, at - value, deltas - 1), pack.inflate(end, size))
    }
    if (kind !== HASH_DELTA) return undefined
    const base = this.read(pack.bytes(start, 20).toString('hex'))
    return this.#patched(base, pack.inflate(start + 20, size))
  }

  #patched(base: GitObject | undefined, delta: Buffer): GitObject | undefined {
    this.#take(delta.length)
    const made = base && patched(base, delta)
    this.#take(made?.content.length ?? 0)
    return made
  }

  /** Counts bytes of content. */
  #take(count: number): number {
    this.#bytes -= count
    if (this.#bytes < 0) throw new Error('Too many bytes.')
    return count
  }
}

const TYPES: Readonly<Partial<Record<number, ObjectType>>> = {
  1: 'commit',
  2: 'tree',
  3: 'blob',
  4: 'tag',
}
const OFFSET_DELTA = 6
const HASH_DELTA = 7

function looseObject(all: Buffer): GitObject | undefined {
  const end = all.indexOf(0)
  const [type] = all.toString('latin1', 0, end).split(' ')
  return Object.values(TYPES).includes(type as ObjectType)
    ? { type: type as ObjectType, content: all.subarray(end + 1) }
    : undefined
}

function packsIn(folder: string, files: OpenFiles): readonly Pack[] {
  let names: string[]
  try {
    names = readdirSync(folder)
  } catch {
    return [] // No packs exist yet.
  }
  const found = names.filter((name) => name.endsWith('.idx'))
  if (found.length > MAX_PACKS) throw new Error('Too many packs.')
  return found.map((name) => new Pack(`${folder}/${name.slice(0, -4)}`, files))
}

/** A pack and its index. Only the needed parts are read. */
class Pack {
  readonly #index: OpenFile
  readonly #file: OpenFile
  readonly #count: number

  constructor(path: string, files: OpenFiles) {
    this.#index = files.open(`${path}.idx`)
    this.#file = files.open(`${path}.pack`)
    const start = this.#index.read(0, 8)
    if (start.toString('hex') !== 'ff744f6300000002') throw new Error('Unsupported pack index.')
    this.#count = this.#fan(255)
    // Each hash has a checksum and an offset.
    if (HASHES + this.#count * 28 > this.#index.size) throw new Error('Invalid pack index.')
  }

  /** The number of hashes whose first byte is at most this one. */
  #fan = (byte: number): number =>
    byte < 0 ? 0 : this.#index.read(8 + byte * 4, 4).readUInt32BE(0)

  offsetOf(hash: string): number | undefined {
    const first = Number.parseInt(hash.slice(0, 2), 16)
    let [low, high] = [this.#fan(first - 1), Math.min(this.#fan(first), this.#count)]
    while (low < high) {
      const middle = Math.floor((low + high) / 2)
      const found = this.#index.read(HASHES + middle * 20, 20).toString('hex')
      if (found === hash) return this.#offsetAt(middle)
      if (found < hash) low = middle + 1
      else high = middle
    }
    return undefined
  }

  /** After the hashes come checksums, then offsets, then 64-bit offsets. */
  #offsetAt(place: number): number {
    const offsets = HASHES + this.#count * 24
    const offset = this.#index.read(offsets + place * 4, 4).readUInt32BE(0)
    if (offset < 0x80000000) return offset
    const large = offsets + this.#count * 4 + (offset - 0x80000000) * 8
    return Number(this.#index.read(large, 8).readBigUInt64BE(0))
  }

  /** The type and size of the object at an offset, and the start of its data. */
  header(at: number): { readonly kind: number; readonly size: number; readonly start: number } {
    const bytes = this.#file.read(at, 12)
    let [end, shift, size] = [1, 4, bytes[0]! & 15]
    for (let more = bytes[0]! & 128; more; shift += 7) {
      more = bytes[end]! & 128
      size += (bytes[end++]! & 127) * 2 ** shift
    }
    if (size > MAX_OBJECT) throw new Error('The object is too large.')
    return { kind: (bytes[0]! >> 4) & 7, size, start: at + end }
  }

  /** The distance from a delta back to its base. */
  offset(at: number): { readonly value: number; readonly end: number } {
    const bytes = this.#file.read(at, 12)
    let [end, value] = [1, bytes[0]! & 127]
    while (bytes[end - 1]! & 128) value = (value + 1) * 128 + (bytes[end++]! & 127)
    return { value, end: at + end }
  }

  inflate(at: number, size: number): Buffer {
    // Compressed data is rarely longer than the content, but its end is unknown.
    const bytes = this.#file.read(at, size + (size >> 8) + 64)
    const content = inflateSync(bytes, { maxOutputLength: Math.max(size, 1) })
    if (content.length !== size) throw new Error('The object has the wrong size.')
    return content
  }

  bytes = (at: number, length: number): Buffer => this.#file.read(at, length)
}

/** The position of the hashes in the index of a pack, after a header and 256 counts. */
const HASHES = 8 + 256 * 4

interface OpenFile {
  readonly size: number
  /** Reads bytes at a position. Returns fewer at the end of the file. */
  read(at: number, length: number): Buffer
}

/** Opens regular files without blocking. */
export class OpenFiles {
  readonly #opened: number[] = []

  open(path: string): OpenFile {
    const opened = openRegularFile(path)
    if (!('descriptor' in opened)) throw new Error(`Cannot read ${path}.`)
    const { descriptor: file, status } = opened
    this.#opened.push(file)
    return {
      size: status.size,
      read(at, length) {
        if (at < 0) throw new Error('Invalid offset.')
        const buffer = Buffer.alloc(Math.max(0, Math.min(length, status.size - at)))
        return buffer.subarray(0, readSync(file, buffer, 0, buffer.length, at))
      },
    }
  }

  close(): void {
    for (const file of this.#opened.splice(0)) closeSync(file)
  }
}

/** Applies a delta to its base object. */
function patched(base: GitObject, delta: Buffer): GitObject {
  let at = 0
  const next = (): number => delta.readUInt8(at++)
  const number = (): number => {
    let [value, shift, byte] = [0, 0, 128]
    for (; byte & 128; shift += 7) value += ((byte = next()) & 127) * 2 ** shift
    return value
  }
  const before = number()
  const after = number()
  let length = after
  if (before !== base.content.length || after > MAX_OBJECT) throw new Error('Invalid delta.')
  const parts: Buffer[] = []
  while (at < delta.length) {
    const byte = next()
    if (!(byte & 128)) {
      if ((length -= byte) < 0 || byte === 0) throw new Error('Invalid delta.')
      parts.push(delta.subarray(at, (at += byte)))
      continue
    }
    let [from, size] = [0, 0]
    for (let bit = 0; bit < 4; bit++) if (byte & (1 << bit)) from += next() * 2 ** (8 * bit)
    for (let bit = 0; bit < 3; bit++) if (byte & (16 << bit)) size += next() * 2 ** (8 * bit)
    const copied = base.content.subarray(from, from + (size || 0x10000))
    if ((length -= copied.length) < 0 || copied.length === 0) throw new Error('Invalid delta.')
    parts.push(copied)
  }
  const content = Buffer.concat(parts)
  if (content.length !== after) throw new Error('Invalid delta.')
  return { type: base.type, content }
}
