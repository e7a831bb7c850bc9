import { GatewayError } from './gateway-error.ts'
import { type Fields, isObject } from './expect.ts'
import { isDeeperThan } from './json-depth.ts'

/** Reads the body of a request: a JSON object that is neither too large nor nested too deeply. Throws a GatewayError. */
export async function readJson(request: Request, maxBytes: number): Promise<Fields> {
  const [type = ''] = (request.headers.get('content-type') ?? '').split(';')
  if (type.trim().toLowerCase() !== 'application/json')
    throw new GatewayError(
      415,
      'unsupported_media_type',
      'Expected the content type application/json.',
    )
  const bytes = await readBytes(request, maxBytes)
  if (isDeeperThan(MAX_DEPTH, bytes))
    throw invalidJson(`Expected JSON at most ${MAX_DEPTH} levels deep.`)
  const value = parseJson(bytes)
  if (!isObject(value)) throw invalidJson('Expected the body to be a JSON object.')
  return value
}

const MAX_DEPTH = 64

async function readBytes(request: Request, maxBytes: number): Promise<Uint8Array> {
  const tooLarge = (): GatewayError =>
    new GatewayError(413, 'too_large', `Expected a body of at most ${maxBytes} bytes.`)
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw tooLarge()
  const pieces: Uint8Array[] = []
  let length = 0
  const reader = request.body?.getReader()
  for (let step = await reader?.read(); step?.value; step = await reader?.read()) {
    length += step.value.byteLength
    if (length > maxBytes) {
      await reader?.cancel()
      throw tooLarge()
    }
    pieces.push(step.value)
  }
  const [only] = pieces
  if (only && pieces.length === 1) return only
  const bytes = new Uint8Array(length)
  let at = 0
  for (const piece of pieces) {
    bytes.set(piece, at)
    at += piece.byteLength
  }
  return bytes
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown
  } catch {
    // The error of the engine may quote the body.
    throw invalidJson('Expected the body to be valid JSON in UTF-8.')
  }
}

function invalidJson(message: string): GatewayError {
  return new GatewayError(400, 'invalid_json', message)
}
