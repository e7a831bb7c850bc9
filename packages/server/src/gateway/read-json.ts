import { yieldToOthers } from '@toolglot/agent/adapter/internal'
import { isObject } from '@toolglot/agent/internal'
import { parseBody } from '../anywhere/parse-body.ts'
import { GatewayError } from './gateway-error.ts'
import { type Fields, expectText } from './expect.ts'

/** How large a body may be, in bytes, and how deep it may be nested. */
interface BodyLimits {
  readonly maxBody: number
  readonly maxDepth: number
}

/** Reads the body of a request: a JSON object within its limits. Throws a GatewayError. */
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
  if (!isObject(value)) throw invalidJson('Expected the body to be a JSON object.')
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

/** Whether arrays and objects in a JSON text are nested deeper than `max`. Text that is not JSON gives either answer. */
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

/** Where the string that begins at `start` ends: at a quote after an even number of backslashes. */
function endOfString(text: Uint8Array, start: number): number {
  for (let end = text.indexOf(QUOTE, start + 1); end !== -1; end = text.indexOf(QUOTE, end + 1)) {
    let backslashes = 0
    while (text[end - 1 - backslashes] === BACKSLASH) backslashes += 1
    if (backslashes % 2 === 0) return end
  }
  return -1
}

/** Why a body is refused: the codes, and their statuses. */
export const BODY_STATUSES = {
  body_too_large: 413,
  too_deep: 400,
  unsupported_media_type: 415,
} as const

/** Why a body is refused, in the server and in the gateway alike. */
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
    message: 'Expected JSON in UTF-8: send content-type: application/json.',
  }
}

/** That a body is too large. */
export function sizeProblem(max: number): BodyProblem {
  const message = `Expected a body of at most ${max} bytes. Send less.`
  return { code: 'body_too_large', message }
}

/** The problem with the nesting of a body; undefined if it is not too deep. */
export function depthProblem(max: number, body: Uint8Array): BodyProblem | undefined {
  if (!isDeeperThan(max, body)) return undefined
  const message = `Expected arrays and objects to be nested at most ${max} deep.`
  return { code: 'too_deep', message }
}

/** How deep arrays and objects are nested in arguments at most. */
const MAX_DEPTH = 64

/** Arguments are JSON in a string. What another model wrote may not be JSON: it is kept as a text. */
export function readArguments(where: string, value: unknown): Fields {
  if (isObject(value)) return value
  const text = value === undefined || value === null ? '' : expectText(where, value)
  if (text.trim() === '') return {}
  // The depth of the body says nothing about JSON in a string.
  if (isDeeperThan(MAX_DEPTH, new TextEncoder().encode(text))) return { arguments: text }
  try {
    const args: unknown = JSON.parse(text)
    if (isObject(args)) return args
  } catch {
    // Not JSON.
  }
  return { arguments: text }
}
