import { yieldToOthers } from '@toolglot/agent/adapter/internal'
import { isObject } from '@toolglot/agent/internal'
import {
  BODY_STATUSES,
  type BodyProblem,
  depthProblem,
  sizeProblem,
  typeProblem,
} from './body-problem.ts'
import { parseBody } from '../anywhere/parse-body.ts'
import { GatewayError } from './gateway-error.ts'
import { type Fields } from './expect.ts'

/** How large a body may be, in bytes, and how deep it may be nested. */
export interface BodyLimits {
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
