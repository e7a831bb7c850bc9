import { isInstance, safeGet } from '../result/safe-access.ts'
import { describeThrown } from '../result/describe-thrown.ts'
import type { ExecuteResult } from './execute.ts'
import { type ErrorType, ToolError, type ToolFailure } from './tool-error.ts'

/** Converts any thrown value to a result of `execute`. Never throws itself. */
export function failureResult(tool: string, error: unknown): ExecuteResult {
  const [type, message, details] = describe(error)
  const failure = { tool, error_type: type, message, ...(details && { details }) }
  causes.set(failure, error)
  return { status: 'error', failure }
}

const causes = new WeakMap<ToolFailure, unknown>()

/** The thrown value. Undefined if the failure was read from a journal. */
export function causeOf(failure: ToolFailure): unknown {
  return causes.get(failure)
}

function describe(error: unknown): [ErrorType, string, ToolFailure['details']] {
  if (isInstance(error, ToolError)) return [error.errorType, error.message, error.details]
  const network = networkCodeOf(error)
  const details = network === undefined ? { code: 'internal' } : { code: 'network', network }
  return ['execution_failed', describeThrown(error), details]
}

/** The code of a transient network error, or undefined for other errors. */
function networkCodeOf(error: unknown): string | undefined {
  if (!isInstance(error, Error)) return undefined
  const cause = safeGet(error, 'cause')
  // `fetch` puts the reason into the cause.
  return (
    transientCode(error) ?? (typeof cause === 'object' && cause ? transientCode(cause) : undefined)
  )
}

function transientCode(error: object): string | undefined {
  const code = safeGet(error, 'code')
  return typeof code === 'string' && TRANSIENT_CODES.has(code) ? code : undefined
}

const TRANSIENT_CODES = new Set([
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETUNREACH',
  'EPIPE',
  'ETIMEDOUT',
  'UND_ERR_BODY_TIMEOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_SOCKET',
])
