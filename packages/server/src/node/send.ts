import type { IncomingMessage, ServerResponse } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Cut } from '../connection.ts'
import type { Limits } from '../security/limits.ts'

/** Larger pieces are sent in parts, so that a connection never holds much more than this. */
const PIECE = 64 * 1024
/** How long the rest of a refused body is thrown away, so that its sender can read why. */
const DISCARD = 1000

/** Callbacks while a response is sent. */
export interface Sending {
  /** So many more bytes are on their way. */
  count(this: void, bytes: number): void
  /** Ends the connection, because of this. */
  cut(this: void, why: Cut): void
}

/**
 * Sends a response, as fast as the client takes it. A body that fails, and a client
 * that takes nothing for too long, end the connection: half a response never looks like a whole one.
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
  // A body that gives up on a client that takes nothing is not read at that moment.
  reader.closed.catch(() => {
    if (isWaiting) cut('stalled')
  })
  // Pieces that are there at the same moment are sent as one: each costs as much as a hundred times its size.
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
        // Before anything else happens, once no further piece is ready.
        if (size === 0) process.nextTick(flush)
        held.push(piece)
        size += piece.byteLength
        if (size >= PIECE) {
          flush()
          // A body that is always ready, for a client that is too, would never let others have their turn.
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
    // The route has reported why. The client sees that the response was cut.
    cut('failed')
  } finally {
    outgoing.off('close', stop)
  }
}

/** Waits until the client has taken what is ready for it. If it takes nothing for too long, the connection ends. */
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

/** Throws away what still comes, for a moment: closing at once would take the response back from a client that still sends. */
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

/** Names and values in turn, the only form of several headers with one name that Node accepts after `setHeader`. */
function headersOf({ headers }: Response): string[] {
  return [...headers].flat()
}
