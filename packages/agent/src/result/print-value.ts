import { isInstance, safeGet } from './safe-access.ts'
import { toStorableText } from './storable-text.ts'
import type { LimitedWriter } from './limited-writer.ts'

/**
 * Writes any value as JSON, with a note in place of what JSON cannot hold. Never throws, and stops when the writer is
 * full: a value of any size costs no more than what is written of it.
 */
export function printValue(value: unknown, out: LimitedWriter): void {
  print(value, out, new Set())
}

const DEEPEST = 64

function print(value: unknown, out: LimitedWriter, around: Set<object>): void {
  if (out.isCut) return
  if (typeof value === 'string') return out.write(quoted(value, out))
  if (typeof value === 'bigint') return out.write(`"${cutNumber(value)}"`)
  if (typeof value === 'number')
    return out.write(Number.isFinite(value) ? String(value) : `"${value}"`)
  if (typeof value === 'function') return out.write(note(`function ${nameOf(value)}`))
  if (typeof value === 'symbol') return out.write(note(`symbol ${value.description ?? ''}`))
  if (typeof value === 'boolean') return out.write(String(value))
  if (typeof value !== 'object' || value === null) return out.write('null')
  if (around.has(value)) return out.write(note('Circular'))
  if (around.size >= DEEPEST) return out.write(note('too deep'))
  around.add(value)
  try {
    printObject(value, out, around)
  } catch (error) {
    // A proxy or an iterator that throws, or that was revoked.
    out.write(note(`unreadable: ${reasonOf(error)}`))
  }
  around.delete(value)
}

function printObject(value: object, out: LimitedWriter, around: Set<object>): void {
  const bytes = bytesOf(value)
  if (bytes) return print(describeBytes(value, bytes), out, around)
  if (Array.isArray(value)) return printList(indexed(value), out, around)
  if (isInstance(value, Date)) return out.write(dateOf(value))
  if (isInstance(value, RegExp)) return out.write(quoted(RegExp.prototype.toString.call(value), out))
  if (isInstance(value, Promise)) return out.write(note('Promise'))
  if (isInstance(value, String) || isInstance(value, Number) || isInstance(value, Boolean))
    return print(value.valueOf(), out, around)
  if (isInstance(value, Map)) return printMap(value, out, around)
  if (isInstance(value, Error)) return printEntries(entriesOfError(value), out, around)
  const other = converted(value)
  if (other !== value) return print(other, out, around)
  if (typeof safeGet(value, Symbol.iterator) === 'function')
    return printList(value as Iterable<unknown>, out, around)
  printEntries(entriesOf(value), out, around)
}

function printList(list: Iterable<unknown>, out: LimitedWriter, around: Set<object>): void {
  out.write('[')
  let isFirst = true
  // Leaving the loop closes what is looped over.
  for (const item of list) {
    if (!isFirst) out.write(',')
    isFirst = false
    print(item, out, around)
    if (out.isCut) break
  }
  out.write(']')
}

/** By number, so that a list that lies about its iterator is still a list. */
function* indexed(list: readonly unknown[]): Iterable<unknown> {
  for (let i = 0; i < list.length; i++) yield attempt(() => list[i])
}

/** An object where all keys are texts, else a list of pairs. */
function printMap(map: Map<unknown, unknown>, out: LimitedWriter, around: Set<object>): void {
  for (const key of map.keys()) if (typeof key !== 'string') return printList(map, out, around)
  printEntries(map as Map<string, unknown>, out, around)
}

function printEntries(
  entries: Iterable<readonly [string, unknown]>,
  out: LimitedWriter,
  around: Set<object>,
): void {
  out.write('{')
  let isFirst = true
  for (const [key, item] of entries) {
    if (item === undefined) continue
    if (!isFirst) out.write(',')
    isFirst = false
    out.write(`${quoted(key, out)}:`)
    print(item, out, around)
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

/** What its own `toJSON` gives, where it has one that works. */
function converted(value: object): unknown {
  const toJSON = safeGet(value, 'toJSON')
  if (typeof toJSON !== 'function') return value
  try {
    return (toJSON as () => unknown).call(value)
  } catch {
    // What it holds is shown instead.
    return value
  }
}

function bytesOf(value: object): Uint8Array | undefined {
  if (ArrayBuffer.isView(value))
    return new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
  return isInstance(value, ArrayBuffer) ? new Uint8Array(value) : undefined
}

/** Enough to tell what it is. */
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

/** JSON of a text; of one that does not fit, only what does. */
function quoted(text: string, out: LimitedWriter): string {
  return JSON.stringify(text.length > out.left ? text.slice(0, out.left + 1) : text)
}

/** Printing a number of a million digits takes longer than anyone waits. */
function cutNumber(value: bigint): string {
  const short = BigInt.asIntN(MAX_BITS, value)
  return short === value ? String(value) : `a number of more than ${MAX_BITS} bits`
}

const MAX_BITS = 8192

function attempt(look: () => unknown): unknown {
  try {
    return look()
  } catch (error) {
    // A getter that throws.
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
