import { Transform } from 'node:stream'

/** Nothing a server has to say is longer, in bytes. */
export const MAX_MESSAGE_BYTES: number = 32 << 20
const MAX_HEADER_BYTES = 4096

/** Passes messages on as they are, and fails before one is taken that is too long to be held. */
export function limitMessages(maxBytes: number = MAX_MESSAGE_BYTES): Transform {
  let head = ''
  let left = 0
  return new Transform({
    transform(bytes: Buffer, _encoding, done) {
      let at = 0
      while (at < bytes.length) {
        if (left > 0) {
          const taken = Math.min(left, bytes.length - at)
          left -= taken
          at += taken
          continue
        }
        const before = head.length
        head += bytes.toString('latin1', at, at + MAX_HEADER_BYTES)
        const end = head.indexOf('\r\n\r\n')
        if (end < 0 && head.length >= MAX_HEADER_BYTES)
          return done(new Error('it writes something that is no message'))
        if (end < 0) break
        left = contentLength(head.slice(0, end))
        if (!(left <= maxBytes))
          return done(new Error(`it sent a message of ${left} bytes, which is too long`))
        at += end + 4 - before
        head = ''
      }
      done(undefined, bytes)
    },
  })
}

/** `Content-Length: 12`, among other lines. */
function contentLength(head: string): number {
  const line = head.split('\r\n').find((each) => each.toLowerCase().startsWith('content-length:'))
  const length = Number(line?.slice('content-length:'.length))
  return Number.isSafeInteger(length) && length >= 0 ? length : Number.NaN
}
