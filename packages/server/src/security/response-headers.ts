const PAGE_POLICY = [
  "default-src 'self'",
  "script-src 'self'",
  "img-src 'self' data:",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "object-src 'none'",
  "require-trusted-types-for 'script'",
].join('; ')

const ALWAYS: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
}

/** What every response says: no frame, no guessed type, no referrer; nothing is stored that does not say so itself. */
export function addSecurityHeaders(headers: Headers): void {
  const isPage = headers.get('content-type')?.startsWith('text/html') ?? false
  for (const name in ALWAYS) headers.set(name, ALWAYS[name]!)
  headers.set(
    'content-security-policy',
    isPage ? PAGE_POLICY : "default-src 'none'; frame-ancestors 'none'",
  )
  if (!headers.has('cache-control')) headers.set('cache-control', 'no-store')
}
