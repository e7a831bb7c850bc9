/** A text without these secrets, and without what looks like a key. */
export function redact(text: string, secrets: readonly string[] = []): string {
  // The longest first: one may begin with another.
  const known = secrets.filter((secret) => secret.length > 3).sort((a, b) => b.length - a.length)
  const without = known.reduce((rest, secret) => rest.replaceAll(secret, HIDDEN), text)
  return KEYS.reduce((rest, key) => rest.replace(key, HIDDEN), without)
}

/** Whether a text is, or holds, what looks like a key. */
export function looksLikeKey(text: string): boolean {
  return KEYS.some((key) => text.search(key) >= 0)
}

const HIDDEN = '[key]'

/** What keys look like. Each is read in one go, without going back. */
const KEYS: readonly RegExp[] = [
  /\b(?:sk|rk|pk|gsk|xai|csk|fw|nvapi|r8|hf|tgp|pplx)[-_][A-Za-z0-9_-]{16,}/g,
  /\bAIza[A-Za-z0-9_-]{30,}/g,
  /\bgh[pousr]_[A-Za-z0-9]{20,}/g,
  /\bgithub_pat_[A-Za-z0-9_]{20,}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}/g,
  /\bBearer +[A-Za-z0-9+/=._~-]{8,}/gi,
  /\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}/g,
]
