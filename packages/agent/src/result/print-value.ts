import { isInstance, safeGet } from './safe-access.ts'
import { boundaryAtOrBefore } from './cut-result.ts'

/**
 * Writes any value as JSON, with notes for parts that JSON cannot represent. Never throws. Stops
 * when the writer is full, so the cost depends on the length of the written text, not on the size
 * of the value.
 */
export function printValue(value: unknown, out: LimitedWriter): void {
  print(value, out, new Set())
}

const MAX_DEPTH = 64

function print(value: unknown, out: LimitedWriter, ancestors: Set<object>): void {
  if (out.isCut) return
  if (typeof value === 'string') return out.write(quoted(value, out))
  if (typeof value === 'bigint') return out.write(`"${cutNumber(value)}"`)
  if (typeof value === 'number')
    return out.write(Number.isFinite(value) ? String(value) : `"${value}"`)
  if (typeof value === 'function') return out.write(note(`function ${nameOf(value)}`))
  if (typeof value === 'symbol') return out.write(note(`symbol ${value.description ?? ''}`))
  if (typeof value === 'boolean') return out.write(String(value))
  if (typeof value !== 'object' || value === null) return out.write('null')
  if (ancestors.has(value)) return out.write(note('Circular'))
  if (ancestors.size >= MAX_DEPTH) return out.write(note('too deep'))
  ancestors.add(value)
  try {
    printObject(value, out, ancestors)
  } catch (error) {
    // A proxy or an iterator threw, or the proxy was revoked.
    out.write(note(`unreadable: ${reasonOf(error)}`))
  }
  ancestors.delete(value)
}

function printObject(value: object, out: LimitedWriter, ancestors: Set<object>): void {
  const bytes = bytesOf(value)
  if (bytes) return print(describeBytes(value, bytes), out, ancestors)
  if (Array.isArray(value)) return printList(indexed(value), out, ancestors)
  if (isInstance(value, Date)) return out.write(dateOf(value))
  if (isInstance(value, RegExp))
    return out.write(quoted(RegExp.prototype.toString.call(value), out))
  if (isInstance(value, Promise)) return out.write(note('Promise'))
  if (isInstance(value, String) || isInstance(value, Number) || isInstance(value, Boolean))
    return print(value.valueOf(), out, ancestors)
  if (isInstance(value, Map)) return printMap(value, out, ancestors)
  if (isInstance(value, Error)) return printEntries(entriesOfError(value), out, ancestors)
  const other = callToJson(value)
  if (other !== value) return print(other, out, ancestors)
  if (typeof safeGet(value, Symbol.iterator) === 'function')
    return printList(value as Iterable<unknown>, out, ancestors)
  printEntries(entriesOf(value), out, ancestors)
}

function printList(list: Iterable<unknown>, out: LimitedWriter, ancestors: Set<object>): void {
  out.write('[')
  let isFirst = true
  // Leaving the loop closes the iterator.
  for (const item of list) {
    if (!isFirst) out.write(',')
    isFirst = false
    print(item, out, ancestors)
    if (out.isCut) break
  }
  out.write(']')
}

/** Iterates by index, because an array can have a custom iterator. */
function* indexed(list: readonly unknown[]): Iterable<unknown> {
  for (let i = 0; i < list.length; i++) yield attempt(() => list[i])
}

/** Prints an object if all keys are strings, or else a list of pairs. */
function printMap(map: Map<unknown, unknown>, out: LimitedWriter, ancestors: Set<object>): void {
  for (const key of map.keys()) if (typeof key !== 'string') return printList(map, out, ancestors)
  printEntries(map as Map<string, unknown>, out, ancestors)
}

function printEntries(
  entries: Iterable<readonly [string, unknown]>,
  out: LimitedWriter,
  ancestors: Set<object>,
): void {
  out.write('{')
  let isFirst = true
  for (const [key, item] of entries) {
    if (item === undefined) continue
    if (!isFirst) out.write(',')
    isFirst = false
    out.write(`${quoted(key, out)}:`)
    print(item, out, ancestors)
    if (out.isCut) break
  }
  out.write('}')
}

function* entriesOf(value: object): Iterable<[string, unknown]> {
  for (const key of Object.keys(value)) {
    yield [key, attempt(() => (value as Record<string, unknown>)[key])]
  }
}

function* entriesOfError(error: Error): Iterable<[string, unknown]> {
  for (const key of ['name', 'message', 'cause', 'errors']) {
    yield [key, attempt(() => (error as unknown as Record<string, unknown>)[key])]
  }
  for (const [key, value] of entriesOf(error)) {
    if (!['name', 'message', 'cause', 'errors', 'stack'].includes(key)) yield [key, value]
  }
}

/** The result of the value's `toJSON` method, if it works. */
function callToJson(value: object): unknown {
  const toJSON = safeGet(value, 'toJSON')
  if (typeof toJSON !== 'function') return value
  try {
    return (toJSON as () => unknown).call(value)
  } catch {
    // Print the value's properties instead.
    return value
  }
}

function bytesOf(value: object): Uint8Array | undefined {
  if (ArrayBuffer.isView(value))
    return new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
  return isInstance(value, ArrayBuffer) ? new Uint8Array(value) : undefined
}

/** Enough bytes to recognize the format. */
const MAX_BYTES = 768

function describeBytes(value: object, bytes: Uint8Array): object {
  const head = bytes.subarray(0, MAX_BYTES)
  return {
    type: nameOf(value.constructor) || 'bytes',
    size: bytes.length,
    base64: btoa(String.fromCharCode(...head)),
    ...(head.length < bytes.length && { note: `only the first ${head.length} bytes` }),
  }
}

function dateOf(date: Date): string {
  const time = Date.prototype.getTime.call(date)
  return Number.isNaN(time) ? note('invalid date') : `"${new Date(time).toISOString()}"`
}

/** Prints a string as JSON, truncated to the available space. */
function quoted(text: string, out: LimitedWriter): string {
  return JSON.stringify(text.length > out.left ? text.slice(0, out.left + 1) : text)
}

/** Shortens the number, because printing a million digits would take too long. */
function cutNumber(value: bigint): string {
  const short = BigInt.asIntN(MAX_BITS, value)
  return short === value ? String(value) : `a number of more than ${MAX_BITS} bits`
}

const MAX_BITS = 8192

function attempt(look: () => unknown): unknown {
  try {
    return look()
  } catch (error) {
    // The getter threw.
    return `[threw: ${reasonOf(error)}]`
  }
}

function reasonOf(error: unknown): string {
  const message = typeof error === 'object' && error !== null ? safeGet(error, 'message') : error
  return typeof message === 'string' ? toStorableText(message.slice(0, 200)) : 'no reason'
}

function nameOf(value: unknown): string {
  const name = typeof value === 'function' ? safeGet(value, 'name') : undefined
  return typeof name === 'string' ? name.slice(0, 80) : ''
}

function note(text: string): string {
  return JSON.stringify(`[${text.trim()}]`)
}

/**
 * Collects text up to a limit. The first piece of text that does not fit is dropped, along with all
 * later ones.
 */
export class LimitedWriter {
  #parts: string[] = []
  #left: number
  #isCut = false

  constructor(maxLength: number) {
    this.#left = maxLength
  }

  /** The number of characters that still fit. */
  get left(): number {
    return this.#left
  }

  get isCut(): boolean {
    return this.#isCut
  }

  write(text: string): void {
    if (this.#isCut) return
    this.#isCut = text.length > this.#left
    const fits = this.#isCut ? text.slice(0, boundaryAtOrBefore(text, this.#left)) : text
    this.#left -= fits.length
    this.#parts.push(fits)
  }

  text(): string {
    return this.#parts.join('')
  }
}

/** Makes text safe to store and send: lone surrogates become U+FFFD, and NUL becomes its symbol. */
export function toStorableText(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd').replaceAll('\0', '\u2400')
}
