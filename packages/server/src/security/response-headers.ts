/**
 * The policy of a page: it can load its own files, and styles with its nonce. No text becomes HTML
 * or a script.
 */
export function pagePolicy(nonce?: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self'${nonce === undefined ? '' : ` 'nonce-${nonce}'`}`,
    "font-src 'self'",
    // The user's attachments are shown as data: URLs.
    "img-src 'self' data:",
    "connect-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    // The one Trusted Types policy creates a single URL: that of the parser's worker.
    'trusted-types toolglot-parser',
  ].join('; ')
}

const ALWAYS: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
}

/**
 * The security headers of every response: no frames, no type sniffing, no referrer, and no caching
 * unless the response allows it.
 */
export function addSecurityHeaders(headers: Headers): void {
  const isPage = headers.get('content-type')?.startsWith('text/html') ?? false
  for (const name in ALWAYS) headers.set(name, ALWAYS[name]!)
  // A page with a nonce sets its own policy.
  if (!isPage) headers.set('content-security-policy', "default-src 'none'; frame-ancestors 'none'")
  else if (!headers.has('content-security-policy'))
    headers.set('content-security-policy', pagePolicy())
  if (!headers.has('cache-control')) headers.set('cache-control', 'no-store')
}
