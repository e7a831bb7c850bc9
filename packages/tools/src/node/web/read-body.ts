import { pipeline, type Readable, type Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip } from 'node:zlib'
import { ToolError } from '@toolglot/agent'
import type { WebHead } from '../../host/web.ts'

/** The encodings that `readBody` supports, as an Accept-Encoding header. */
export const ENCODINGS = 'gzip, br'

/** Reads and decompresses a body. Stops as soon as it is, or claims to be, larger than `maxBytes`. */
export async function readBody(
  body: Readable,
  { headers }: WebHead,
  { maxBytes, url }: { readonly maxBytes: number; readonly url: string },
): Promise<Uint8Array> {
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw tooLarge(url, maxBytes)
  const unpack = unpackerFor(headers['content-encoding'], url)
  const parts: Uint8Array[] = []
  let packed = 0
  let size = 0
  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const part of body as AsyncIterable<Uint8Array>) {
      packed += part.length
      if (packed > maxBytes) throw tooLarge(url, maxBytes)
      yield part
    }
  }
  // A failure also reaches the loop below.
  const stream = unpack ? pipeline(counted, unpack, () => {}) : counted()
  for await (const part of stream as AsyncIterable<Uint8Array>) {
    size += part.length
    if (size > maxBytes) throw tooLarge(url, maxBytes)
    parts.push(part)
  }
  return Buffer.concat(parts, size)
}

function unpackerFor(encoding = 'identity', url: string): Transform | undefined {
  switch (encoding.trim().toLowerCase()) {
    case 'identity':
    case '':
      return undefined
    case 'gzip':
    case 'x-gzip':
      return createGunzip()
    case 'br':
      return createBrotliDecompress()
    default:
      throw new ToolError(
        'execution_failed',
        `${url} was sent with an unsupported encoding; expected ${ENCODINGS}. Try another source.`,
        { code: 'unknown_encoding' },
      )
  }
}

function tooLarge(url: string, maxBytes: number): ToolError {
  return new ToolError(
    'execution_failed',
    `${url} is larger than ${maxBytes / 1_000_000} MB, the maximum. Fetch a part of it or another page.`,
    { code: 'too_large', most: maxBytes },
  )
}
