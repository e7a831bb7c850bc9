import { isInstance, safeGet } from './safe-access.ts'
import { toStorableText } from './storable-text.ts'
import { printValue } from './print-value.ts'
import { describeThrown } from './describe-thrown.ts'
import { LimitedWriter } from './limited-writer.ts'

/** What a tool gave, as text. */
export interface Serialised {
  readonly text: string
  /** `text` is only the beginning of it. */
  readonly truncated?: true
  /** The length of all of it in characters, where that is known and `text` is not all. */
  readonly size?: number
}

/**
 * Any value as text of at most so many characters: text as it is, the rest as JSON, streams and iterators as what they
 * give, read until it is enough and then closed. It never throws, and takes little more room than the text it gives.
 */
export async function serialise(
  value: unknown,
  most: number,
  { signal }: { readonly signal?: AbortSignal } = {},
): Promise<Serialised> {
  if (typeof value === 'string') return ofText(value, most)
  if (value === undefined) return { text: '' }
  const out = new LimitedWriter(most)
  try {
    const iterator = iteratorOf(value)
    if (!iterator) printValue(value, out)
    else if (!(await drain(iterator, out, most, signal))) return { ...ended(out), truncated: true }
  } catch (error) {
    // A stream that breaks: what came of it counts.
    out.write(`\n[It broke off: ${describeThrown(error)}]`)
  }
  return ended(out)
}

function ofText(text: string, most: number): Serialised {
  if (text.length <= most) return { text: toStorableText(text) }
  const out = new LimitedWriter(most)
  out.write(text)
  // A part of a text keeps all of it in memory: this is a copy.
  return { text: toStorableText(`${out.text()} `.slice(0, -1)), truncated: true, size: text.length }
}

function ended(out: LimitedWriter): Serialised {
  return { text: toStorableText(out.text()), ...(out.isCut && { truncated: true }) }
}

/** Whether it gives piece after piece, each once: whoever reads it uses it up. */
export function isStream(value: object): boolean {
  return typeof safeGet(value, Symbol.asyncIterator) === 'function' || isInstance(value, ReadableStream)
}

function iteratorOf(value: unknown): AsyncIterator<unknown> | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const make = safeGet(value, Symbol.asyncIterator)
  if (typeof make === 'function') return (make as () => AsyncIterator<unknown>).call(value)
  return isInstance(value, ReadableStream) ? overStream(value) : undefined
}

/** For where streams are not iterable by themselves. */
async function* overStream(stream: ReadableStream<unknown>): AsyncGenerator<unknown> {
  const reader = stream.getReader()
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value
  } finally {
    await reader.cancel()
  }
}

/** Reads until there is no more or it is enough: false. Text and bytes are put together, other things stand a line each. */
async function drain(
  iterator: AsyncIterator<unknown>,
  out: LimitedWriter,
  most: number,
  signal?: AbortSignal,
): Promise<boolean> {
  const decoder = new TextDecoder()
  const stop = stopped(signal)
  try {
    // Pieces with nothing in them count too, or it might never end.
    for (let pieces = 0; pieces <= most + MAX_EMPTY; pieces++) {
      const next = await Promise.race([iterator.next(), stop.promise])
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
    stop.forget()
  }
}

const MAX_EMPTY = 10_000

function writePiece(piece: unknown, out: LimitedWriter, decoder: InstanceType<typeof TextDecoder>): void {
  if (typeof piece === 'string') return out.write(piece)
  if (isInstance(piece, Uint8Array)) {
    // Four bytes are a character at most, and one is at least.
    return out.write(decoder.decode(piece.subarray(0, 4 * out.left + 4), { stream: true }))
  }
  printValue(piece, out)
  out.write('\n')
}

/** Nobody waits for the end of what was told to end. */
function close(iterator: AsyncIterator<unknown>): false {
  try {
    void Promise.resolve(iterator.return?.()).catch(() => undefined)
  } catch {
    // It cannot be closed.
  }
  return false
}

/** Resolves when the signal stops. */
function stopped(signal: AbortSignal | undefined): {
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
