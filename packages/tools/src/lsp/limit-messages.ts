import { Transform } from 'node:stream'

/** Maximum size of a message, in bytes. */
export const MAX_MESSAGE_BYTES: number = 32 << 20
const MAX_HEADER_BYTES = 4096

/** Passes messages through unchanged, and fails on one that is too large to be buffered. */
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
          return done(new Error('it writes something other than messages'))
        if (end < 0) break
        left = contentLength(head.slice(0, end))
        if (!(left <= maxBytes))
          return done(new Error(`it sent a message of ${left} bytes, which is too large`))
        at += end + 4 - before
        head = ''
      }
      done(undefined, bytes)
    },
  })
}

/** Reads `Content-Length: 12` from the header lines. */
function contentLength(head: string): number {
  const line = head.split('\r\n').find((each) => each.toLowerCase().startsWith('content-length:'))
  const length = Number(line?.slice('content-length:'.length))
  return Number.isSafeInteger(length) && length >= 0 ? length : Number.NaN
}
