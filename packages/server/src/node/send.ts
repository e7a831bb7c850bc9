import type { IncomingMessage, ServerResponse } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Cut } from '../connection.ts'
import type { Limits } from '../security/limits.ts'

/** Larger pieces are split, so that a connection never buffers much more than this. */
const PIECE = 64 * 1024
/**
 * The time that the rest of a refused body is discarded, in milliseconds, so that its sender can
 * read the response.
 */
const DISCARD = 1000

/** Callbacks while a response is sent. */
export interface Sending {
  /** Adds a number of sent bytes. */
  count(this: void, bytes: number): void
  /** Ends the connection for this reason. */
  cut(this: void, why: Cut): void
}

/**
 * Sends a response as fast as the client reads it. If the body fails, or the client reads nothing
 * for too long, the connection ends: a partial response never looks complete.
 */
export async function send(
  response: Response,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  sending: Sending,
  { stalledTimeout }: Limits,
): Promise<void> {
  const reader = response.body?.getReader() as ReadableStreamDefaultReader<Uint8Array> | undefined
  if (outgoing.destroyed) {
    await reader?.cancel()
    return
  }
  const isRefused = !incoming.complete
  // The rest of an unread body must not be parsed as the next request.
  if (isRefused) outgoing.setHeader('connection', 'close')
  outgoing.writeHead(response.status, headersOf(response))
  if (reader) {
    outgoing.flushHeaders()
    await sendBody(reader, outgoing, sending, stalledTimeout)
  }
  if (outgoing.destroyed) return
  if (isRefused) await discard(incoming)
  outgoing.end()
  await new Promise<void>((resolve) => {
    const timer = setTimeout(() => sending.cut('stalled'), stalledTimeout)
    outgoing.once('close', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}

async function sendBody(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  outgoing: ServerResponse,
  { count, cut }: Sending,
  stalledTimeout: number,
): Promise<void> {
  const stop = (): void => {
    reader.cancel().catch(() => {})
  }
  outgoing.once('close', stop)
  let isWaiting = false
  // When a body ends because its client stopped reading, no read is in progress.
  reader.closed.catch(() => {
    if (isWaiting) cut('stalled')
  })
  // Pieces available at the same moment are sent together, because sending a piece costs as much as
  // a hundred times its size.
  let held: Uint8Array[] = []
  let size = 0
  const flush = (): void => {
    if (size === 0 || outgoing.destroyed) return
    count(size)
    outgoing.write(held.length === 1 ? held[0] : Buffer.concat(held, size))
    held = []
    size = 0
  }

  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done || outgoing.destroyed) break
      for (let start = 0; start < value.byteLength; start += PIECE) {
        const piece = value.byteLength <= PIECE ? value : value.subarray(start, start + PIECE)
        // Flushed before any other code runs, once no further piece is ready.
        if (size === 0) process.nextTick(flush)
        held.push(piece)
        size += piece.byteLength
        if (size >= PIECE) {
          flush()
          // If both the body and the client are always ready, the loop would never let other
          // requests run.
          await nextTurn()
        }
        isWaiting = outgoing.writableNeedDrain
        if (isWaiting) await drained(outgoing, cut, stalledTimeout)
        isWaiting = false
        if (outgoing.destroyed) return
      }
    }
    flush()
  } catch {
    // The route has reported the reason. The client sees that the response was cut off.
    cut('failed')
  } finally {
    outgoing.off('close', stop)
  }
}

/**
 * Waits until the client has read the buffered data. If it reads nothing for too long, the
 * connection ends.
 */
function drained(
  outgoing: ServerResponse,
  cut: Sending['cut'],
  stalledTimeout: number,
): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => cut('stalled'), stalledTimeout)
    const end = (): void => {
      clearTimeout(timer)
      outgoing.off('drain', end)
      outgoing.off('close', end)
      resolve()
    }
    outgoing.on('drain', end)
    outgoing.on('close', end)
  })
}

/**
 * Discards incoming data for a moment: closing immediately would destroy the response for a client
 * that is still sending.
 */
function discard(incoming: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, DISCARD)
    const end = (): void => {
      clearTimeout(timer)
      resolve()
    }
    incoming.once('end', end)
    incoming.once('close', end)
    incoming.resume()
  })
}

/**
 * Alternating names and values: after `setHeader`, Node accepts no other form of repeated headers.
 */
function headersOf({ headers }: Response): string[] {
  return [...headers].flat()
}
