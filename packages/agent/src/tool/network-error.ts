import { isInstance, safeGet } from '../result/safe-access.ts'

/** The code of a transient network error; undefined for any other error. */
export function networkCodeOf(error: unknown): string | undefined {
  if (!isInstance(error, Error)) return undefined
  const cause = safeGet(error, 'cause')
  // `fetch` reports the reason in the cause.
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
