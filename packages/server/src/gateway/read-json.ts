import { GatewayError } from './gateway-error.ts'
import { type Fields, isObject } from './expect.ts'

/** Reads the body of a request: a JSON object that is neither too large nor nested too deeply. Throws a GatewayError. */
export async function readJson(request: Request, maxBytes: number): Promise<Fields> {
  const [type = ''] = (request.headers.get('content-type') ?? '').split(';')
  if (type.trim().toLowerCase() !== 'application/json')
    throw new GatewayError(
      415,
      'unsupported_media_type',
      'Expected the content type application/json.',
    )
  const text = await readBody(request, maxBytes)
  if (isTooDeep(text))
    throw new GatewayError(400, 'invalid_json', `Expected JSON at most ${MAX_DEPTH} levels deep.`)
  const value = parseJson(text)
  if (!isObject(value))
    throw new GatewayError(400, 'invalid_json', 'Expected the body to be a JSON object.')
  return value
}

async function readBody(request: Request, maxBytes: number): Promise<string> {
  const tooLarge = (): GatewayError =>
    new GatewayError(413, 'too_large', `Expected a body of at most ${maxBytes} bytes.`)
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw tooLarge()
  if (!request.body) return ''
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const parts: string[] = []
  let bytes = 0
  try {
    for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array>) {
      bytes += chunk.byteLength
      if (bytes > maxBytes) throw tooLarge()
      parts.push(decoder.decode(chunk, { stream: true }))
    }
    return parts.join('') + decoder.decode()
  } catch (error) {
    if (error instanceof TypeError)
      throw new GatewayError(400, 'invalid_json', 'Expected the body to be UTF-8.')
    throw error
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    // The error of the engine may quote the body.
    throw new GatewayError(400, 'invalid_json', 'Expected the body to be valid JSON.')
  }
}

/** Whether the brackets of a JSON text are nested deeper than anything needs, so that nobody has to follow them. */
function isTooDeep(text: string): boolean {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = endOfString(text, at)
    else if (code === OPEN_LIST || code === OPEN_OBJECT) {
      if (++depth > MAX_DEPTH) return true
    } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) depth--
  }
  return false
}

/** The index of the quote that ends a string; or of the end of the text. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; ; at++) {
    at = text.indexOf('"', at)
    if (at < 0) return text.length
    let slashes = at
    while (text.charCodeAt(slashes - 1) === BACKSLASH) slashes--
    if ((at - slashes) % 2 === 0) return at
  }
}

const MAX_DEPTH = 64
const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPEN_LIST = 0x5b
const CLOSE_LIST = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
