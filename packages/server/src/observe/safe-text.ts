import { redactAll } from '@toolglot/agent/internal'
import { visibleLine } from '@toolglot/workspace/internal'

/** Foreign text for a log: on one line, not longer than this, and without what looks like a secret. */
export function safeText(text: string, maxLength = 100): string {
  // First cut with a margin, so that a secret at the end of the shown text is recognized before it is cut in two.
  const near = text.slice(0, maxLength + SECRET_LENGTH)
  const safe = withoutSecrets(near)
  const shown = near === text ? safe : safe.slice(0, Math.max(0, safe.length - SECRET_LENGTH))
  const cut = shown.slice(0, maxLength)
  return visibleLine(cut === shown && near === text ? cut : `${cut}…`)
}

/** The text without likely keys of providers, and without tokens, sessions and login codes of this server. */
export function withoutSecrets(text: string): string {
  return redactAll(text).replace(OWN, '[redacted]')
}

/** How long a secret is at most. */
const SECRET_LENGTH = 4096

/** A token is 43 characters of base64url, and so are the signatures of others; a given one is often hexadecimal. */
const OWN = /[\w-]{43,}|[A-Za-z0-9]{32,}/g
