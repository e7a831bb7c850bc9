import { redactAll } from '@toolglot/agent/internal'
import { visibleLine } from '@toolglot/workspace/internal'

/** Untrusted text for a log: on one line, limited in length, and without possible secrets. */
export function safeText(text: string, maxLength = 100): string {
  // First truncate with a margin, so that a secret at the end of the visible text is recognized
  // before it is split.
  const near = text.slice(0, maxLength + SECRET_LENGTH)
  const safe = withoutSecrets(near)
  const shown = near === text ? safe : safe.slice(0, Math.max(0, safe.length - SECRET_LENGTH))
  const cut = shown.slice(0, maxLength)
  return visibleLine(cut === shown && near === text ? cut : `${cut}…`)
}

/**
 * The text without likely provider keys, and without tokens, sessions and login codes of this
 * server.
 */
export function withoutSecrets(text: string): string {
  return redactAll(text).replace(OWN, '[redacted]')
}

/** The maximum length of a secret. */
const SECRET_LENGTH = 4096

/**
 * A token has 43 characters of base64url, as do many signatures; custom tokens are often
 * hexadecimal.
 */
const OWN = /[\w-]{43,}|[A-Za-z0-9]{32,}/g
