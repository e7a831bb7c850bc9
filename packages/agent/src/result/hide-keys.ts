import { redact } from './redact.ts'

/** A text without these secrets, and without what looks like one. */
export function hideKeys(text: string, secrets: readonly string[] = []): string {
  // The longest first: one may begin with another.
  const known = secrets.filter((secret) => secret.length > 3).sort((a, b) => b.length - a.length)
  return redact(known.reduce((rest, secret) => rest.replaceAll(secret, '[key]'), text))
}

/** Whether a text is, or holds, what looks like a key. */
export function looksLikeKey(text: string): boolean {
  return redact(text) !== text
}
