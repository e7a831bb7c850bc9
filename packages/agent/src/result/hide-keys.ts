import { redact } from './redact.ts'

/** Removes these secrets from a text, and whatever else looks like a secret. */
export function hideKeys(text: string, secrets: readonly string[] = []): string {
  // Longest first: one secret may be the beginning of another.
  const known = secrets.filter((secret) => secret.length > 3).sort((a, b) => b.length - a.length)
  return redact(known.reduce((rest, secret) => rest.replaceAll(secret, '[key]'), text))
}

/** Whether a text contains something that looks like a key. */
export function looksLikeKey(text: string): boolean {
  return redact(text) !== text
}
