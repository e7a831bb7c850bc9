import { isInstance, safeGet } from '../result/safe-access.ts'

/** What the network said where that is why something failed, and what may pass; undefined: it is not. */
export function networkCodeOf(error: unknown): string | undefined {
  if (!isInstance(error, Error)) return undefined
  const cause = safeGet(error, 'cause')
  // `fetch` tells why in the cause.
  return passing(error) ?? (typeof cause === 'object' && cause ? passing(cause) : undefined)
}

function passing(error: object): string | undefined {
  const code = safeGet(error, 'code')
  return typeof code === 'string' && PASSING.has(code) ? code : undefined
}

const PASSING = new Set([
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
