import { yieldToOthers } from '@toolglot/agent/adapter/internal'
import { isObject } from '@toolglot/agent/internal'
import { parseBody } from '../anywhere/parse-body.ts'
import { GatewayError } from './gateway-error.ts'
import { type Fields, expectText } from './expect.ts'

/** The maximum size of a body, in bytes, and its maximum nesting depth. */
interface BodyLimits {
  readonly maxBody: number
  readonly maxDepth: number
}

/** Parses the body of a request as a JSON object, within the limits. Throws a GatewayError. */
export async function readJson(
  request: Request,
  { maxBody, maxDepth }: BodyLimits,
): Promise<Fields> {
  throwIf(typeProblem(request.headers.get('content-type')))
  const bytes = await readBytes(request, maxBody)
  await yieldToOthers()
  throwIf(depthProblem(maxDepth, bytes))
  const value = parseBody(bytes, invalidJson)
  await yieldToOthers()
  if (!isObject(value)) throw invalidJson('The body must be a JSON object.')
  return value
}

function throwIf(problem: BodyProblem | undefined): void {
  if (!problem) return
  const { code, message } = problem
  throw new GatewayError(BODY_STATUSES[code], code, message, { summary: message })
}

async function readBytes(request: Request, maxBytes: number): Promise<Uint8Array> {
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throwIf(sizeProblem(maxBytes))
  const pieces: Uint8Array[] = []
  let length = 0
  const reader = request.body?.getReader()
  for (let step = await reader?.read(); step?.value; step = await reader?.read()) {
    length += step.value.byteLength
    if (length > maxBytes) {
      await reader?.cancel()
      throwIf(sizeProblem(maxBytes))
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

function invalidJson(message: string): GatewayError {
  return new GatewayError(400, 'invalid_json', message, { summary: message })
}

const QUOTE = 34
const BACKSLASH = 92

/**
 * True if arrays and objects in a JSON text are nested deeper than `max`. For invalid JSON, the
 * result is undefined.
 */
export function isDeeperThan(max: number, text: Uint8Array): boolean {
  if (max === Infinity) return false
  let depth = 0
  for (let index = 0; index < text.length; index += 1) {
    const code = text[index]!
    if (code === QUOTE) {
      index = endOfString(text, index)
      if (index === -1) return false
    } else if (code === 91 || code === 123) {
      depth += 1
      if (depth > max) return true
    } else if (code === 93 || code === 125) {
      depth -= 1
    }
  }
  return false
}

/** The end of a string that begins at `start`: a quote after an even number of backslashes. */
function endOfString(text: Uint8Array, start: number): number {
  for (let end = text.indexOf(QUOTE, start + 1); end !== -1; end = text.indexOf(QUOTE, end + 1)) {
    let backslashes = 0
    while (text[end - 1 - backslashes] === BACKSLASH) backslashes += 1
    if (backslashes % 2 === 0) return end
  }
  return -1
}

/** The codes for refused bodies, and their statuses. */
export const BODY_STATUSES = {
  body_too_large: 413,
  too_deep: 400,
  unsupported_media_type: 415,
} as const

/** The reason why a body is refused, for both the server and the gateway. */
export interface BodyProblem {
  readonly code: keyof typeof BODY_STATUSES
  readonly message: string
}

/** The problem with the content type of a body; undefined if it is JSON in UTF-8. */
export function typeProblem(contentType: string | null): BodyProblem | undefined {
  const [type = '', ...parameters] = (contentType ?? '').toLowerCase().split(';')
  const isJson =
    type.trim() === 'application/json' &&
    parameters.every((each) => each.trim().replaceAll('"', '') === 'charset=utf-8')
  if (isJson) return undefined
  return {
    code: 'unsupported_media_type',
    message: 'The body must be JSON in UTF-8. Send content-type: application/json.',
  }
}

/** The problem with a body that is too large. */
export function sizeProblem(max: number): BodyProblem {
  const message = `The body is too large. The limit is ${max} bytes.`
  return { code: 'body_too_large', message }
}

/** The problem with the nesting of a body; undefined if it is not too deep. */
export function depthProblem(max: number, body: Uint8Array): BodyProblem | undefined {
  if (!isDeeperThan(max, body)) return undefined
  const message = `Arrays and objects are nested too deeply. The limit is ${max} levels.`
  return { code: 'too_deep', message }
}

/** The maximum nesting depth of arguments. */
const MAX_DEPTH = 64

/**
 * Parses arguments, which are JSON in a string. Other models may have written invalid JSON, which
 * is kept as text.
 */
export function readArguments(where: string, value: unknown): Fields {
  if (isObject(value)) return value
  const text = value === undefined || value === null ? '' : expectText(where, value)
  if (text.trim() === '') return {}
  // Checked here: to the check of the body, this JSON is a string.
  if (isDeeperThan(MAX_DEPTH, new TextEncoder().encode(text))) return { arguments: text }
  try {
    const args: unknown = JSON.parse(text)
    if (isObject(args)) return args
  } catch {
    // The text is not JSON.
  }
  return { arguments: text }
}
