// Folder: Tool results: serialized, shortened, stored.
import { isInstance, safeGet } from './safe-access.ts'
import { toStorableText, printValue, LimitedWriter } from './print-value.ts'
import { describeThrown } from './describe-thrown.ts'

/** The result of a tool, as text. */
export interface Serialized {
  readonly text: string
  /** `text` contains only the beginning of the result. */
  readonly truncated?: true
  /** The length of the whole text in characters, if `text` is truncated and the length is known. */
  readonly size?: number
}

/**
 * Converts any value to text of at most `maxLength` characters. Text is unchanged, streams and
 * iterators become the text of their items, and other values become JSON. Streams are read until
 * the limit is reached, then closed. Never throws, and needs little more memory than the returned
 * text.
 */
export async function serialize(
  value: unknown,
  maxLength: number,
  { signal }: { readonly signal?: AbortSignal } = {},
): Promise<Serialized> {
  if (typeof value === 'string') return cutText(value, maxLength)
  if (value === undefined) return { text: '' }
  const out = new LimitedWriter(maxLength)
  try {
    const iterator = iteratorOf(value)
    if (!iterator) printValue(value, out)
    else if (!(await drain(iterator, out, maxLength, signal)))
      return { ...serialized(out), truncated: true }
  } catch (error) {
    // The stream failed. Keep the text before the failure.
    out.write(`\n[The stream failed: ${describeThrown(error)}]`)
  }
  return serialized(out)
}

function cutText(text: string, maxLength: number): Serialized {
  if (text.length <= maxLength) return { text: toStorableText(text) }
  const out = new LimitedWriter(maxLength)
  out.write(text)
  // Copy the text, because a slice would keep the whole text in memory.
  return { text: toStorableText(`${out.text()} `.slice(0, -1)), truncated: true, size: text.length }
}

function serialized(out: LimitedWriter): Serialized {
  return { text: toStorableText(out.text()), ...(out.isCut && { truncated: true }) }
}

/** True if a value can be read only once and piece by piece. */
export function isStream(value: object): boolean {
  return (
    typeof safeGet(value, Symbol.asyncIterator) === 'function' || isInstance(value, ReadableStream)
  )
}

function iteratorOf(value: unknown): AsyncIterator<unknown> | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const make = safeGet(value, Symbol.asyncIterator)
  if (typeof make === 'function') return (make as () => AsyncIterator<unknown>).call(value)
  return isInstance(value, ReadableStream) ? overStream(value) : undefined
}

/** For runtimes whose streams are not iterable. */
async function* overStream(stream: ReadableStream<unknown>): AsyncGenerator<unknown> {
  const reader = stream.getReader()
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value
  } finally {
    await reader.cancel()
  }
}

/**
 * Reads all items. Returns false if it stops at the limit. Text and bytes are concatenated; other
 * values are written on separate lines.
 */
async function drain(
  iterator: AsyncIterator<unknown>,
  out: LimitedWriter,
  maxLength: number,
  signal?: AbortSignal,
): Promise<boolean> {
  const decoder = new TextDecoder()
  const abort = whenAborted(signal)
  try {
    // Count empty pieces, because otherwise the loop might never end.
    for (let pieces = 0; pieces <= maxLength + MAX_EMPTY; pieces++) {
      const next = await Promise.race([iterator.next(), abort.promise])
      if (!next) return close(iterator)
      if (next.done) {
        out.write(decoder.decode())
        return true
      }
      writePiece(next.value, out, decoder)
      if (out.isCut) return close(iterator)
    }
    return close(iterator)
  } finally {
    abort.forget()
  }
}

const MAX_EMPTY = 10_000

function writePiece(
  piece: unknown,
  out: LimitedWriter,
  decoder: InstanceType<typeof TextDecoder>,
): void {
  if (typeof piece === 'string') return out.write(piece)
  if (isInstance(piece, Uint8Array)) {
    // A character has one to four bytes.
    return out.write(decoder.decode(piece.subarray(0, 4 * out.left + 4), { stream: true }))
  }
  printValue(piece, out)
  out.write('\n')
}

/** Closes an iterator without waiting for it. */
function close(iterator: AsyncIterator<unknown>): false {
  try {
    void Promise.resolve(iterator.return?.()).catch(() => undefined)
  } catch {
    // The iterator cannot be closed.
  }
  return false
}

/** Resolves when the signal is aborted. */
function whenAborted(signal: AbortSignal | undefined): {
  promise: Promise<undefined>
  forget: () => void
} {
  let stop = (): void => {}
  const promise = new Promise<undefined>((resolve) => {
    stop = () => resolve(undefined)
    if (signal?.aborted) stop()
    else signal?.addEventListener('abort', stop, { once: true })
  })
  return { promise, forget: () => signal?.removeEventListener('abort', stop) }
}
