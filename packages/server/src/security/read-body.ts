import { sizeProblem } from '../gateway/read-json.ts'
import { HttpError } from './http-error.ts'
import type { Limits } from './limits.ts'

/** The memory shared by the bodies of all requests. */
export interface BodyMemory {
  used: number
}

/** A body, and the function that frees its memory. */
export interface ReadBody {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly release: () => void
}

/** Reads a complete body, up to its maximum size. Throws an HttpError. */
export async function readBody(
  request: Request,
  max: number,
  memory: BodyMemory,
  { allBodiesSize, bodyTimeout, bodyRate }: Limits,
): Promise<ReadBody> {
  // If the length is not a number, the count below applies.
  if (Number(request.headers.get('content-length')) > max) throw tooLarge(max)
  const reader = request.body?.getReader()
  if (!reader) return { bytes: new Uint8Array(), release() {} }

  // Pieces are copied into one buffer: stored separately, pieces of one byte would need a hundred
  // times their size.
  let bytes = new Uint8Array(Math.min(max, 16 * 1024))
  let length = 0
  const began = performance.now()
  let last = began
  let late = false
  const release = (): void => {
    memory.used -= length
    length = 0
  }
  const timer = setInterval(
    () => {
      const now = performance.now()
      const total = now - began
      const isSlow = total > bodyTimeout && length < (total / 1000) * bodyRate
      if (now - last <= bodyTimeout && !isSlow) return
      late = true
      reader.cancel().catch(() => {})
    },
    Math.min(1000, bodyTimeout / 4),
  )

  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (late) throw tooSlow()
      if (done) break
      last = performance.now()
      const end = length + value.byteLength
      if (end > max) throw tooLarge(max)
      if (memory.used + value.byteLength > allBodiesSize) throw tooMuch()
      if (end > bytes.byteLength) {
        const grown = new Uint8Array(Math.min(max, Math.max(end, bytes.byteLength * 2)))
        grown.set(bytes.subarray(0, length))
        bytes = grown
      }
      bytes.set(value, length)
      length = end
      memory.used += value.byteLength
    }
    return { bytes: bytes.subarray(0, length), release }
  } catch (error) {
    release()
    reader.cancel().catch(() => {})
    throw error
  } finally {
    clearInterval(timer)
  }
}

function tooLarge(max: number): HttpError {
  const { code, message } = sizeProblem(max)
  return new HttpError(code, message)
}

function tooSlow(): HttpError {
  return new HttpError('body_timeout', 'The body of the request did not arrive in time.')
}

function tooMuch(): HttpError {
  return new HttpError(
    'rate_limited',
    'The server is reading too many request bodies at the same time. Try again later.',
    { headers: { 'retry-after': '1' } },
  )
}
