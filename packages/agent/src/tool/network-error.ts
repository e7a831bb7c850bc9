/** What the network said where that is why something failed, and what may pass; undefined: it is not. */
export function networkCodeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const { code, cause } = error as { code?: unknown; cause?: unknown }
  if (typeof code === 'string' && PASSING.has(code)) return code
  // `fetch` tells why in the cause.
  return cause === error ? undefined : causeCodeOf(cause)
}

function causeCodeOf(cause: unknown): string | undefined {
  const code = (cause as { code?: unknown } | null | undefined)?.code
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
