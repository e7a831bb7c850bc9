/** Removes the given secrets, and any text that looks like a secret. */
export function hideKeys(text: string, secrets: readonly string[] = []): string {
  // Longest first, because a secret may start with another one.
  const known = secrets.filter((secret) => secret.length > 3).sort((a, b) => b.length - a.length)
  return redact(known.reduce((rest, secret) => rest.replaceAll(secret, '[key]'), text))
}

/** True if text contains something that looks like a key. */
export function looksLikeKey(text: string): boolean {
  return redact(text) !== text
}

/**
 * Redacts all text that looks like a secret except for its first characters, for logs and display.
 * This is best effort: secrets with an unrecognizable form remain. None of the patterns backtrack.
 */
export function redact(text: string): string {
  const shaped = SHAPES.reduce(
    (rest, shape) => rest.replace(shape, (found) => hide(found)),
    withoutPrivateKeys(text),
  )
  return shaped
    .replace(IN_ADDRESS, (_, before: string) => `${before}${HIDDEN}@`)
    .replace(SCHEME, (_, before: string, value: string) => before + hide(value))
    .replace(NAMED, (whole, before: string, value: string, at: number, all: string) =>
      isHarmless(value) || all.startsWith(HIDDEN, at + whole.length) ? whole : before + hide(value),
    )
}

/** Redacts all strings in plain data. A key such as `password` marks its value as a secret. */
export function redactAll<Value>(value: Value): Value {
  return redactUnder(value, '') as Value
}

function redactUnder(value: unknown, key: string): unknown {
  if (typeof value === 'string') return underName(value, key)
  if (Array.isArray(value)) return value.map((item) => redactUnder(item, key))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, redactUnder(item, name)]),
  )
}

/** A single word may be a secret because of its key. */
function underName(text: string, key: string): string {
  const before = `${key}: `
  const named = redact(before + text)
  return /\s/.test(text) || !named.startsWith(before) ? redact(text) : named.slice(before.length)
}

const HIDDEN = '[redacted]'

function hide(secret: string): string {
  if (secret.includes(HIDDEN)) return secret
  // Four characters would reveal too much of a short secret.
  return secret.length < 12 ? HIDDEN : secret.slice(0, 4) + HIDDEN
}

/** Keys with a recognizable prefix. Matches only at the start of a word. */
const SHAPES: readonly RegExp[] = [
  /\b(?:AKIA|ASIA|AROA|AIDA)[A-Z0-9]{16}\b/g,
  /\bgh[pousr]_[A-Za-z0-9]{20,}/g,
  /\bgithub_pat_[A-Za-z0-9_]{20,}/g,
  /\bglpat-[A-Za-z0-9_-]{16,}/g,
  /(?<![A-Za-z0-9])sk-[A-Za-z0-9_-]{16,}/g,
  /\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,}/g,
  /\bxox[abeprs]-[A-Za-z0-9-]{10,}/g,
  /\bnpm_[A-Za-z0-9]{30,}/g,
  /\bpypi-[A-Za-z0-9_-]{16,}/g,
  /\bhf_[A-Za-z0-9]{20,}/g,
  /\b(?:gsk|xai|csk|nvapi|pplx|tgp|r8)[-_][A-Za-z0-9_-]{16,}/g,
  /\bAIza[A-Za-z0-9_-]{30,}/g,
  /\bya29\.[A-Za-z0-9_-]{16,}/g,
  /\bSG\.[A-Za-z0-9_-]{16,}/g,
  /\bdop_v1_[a-f0-9]{16,}/g,
  /\beyJ[A-Za-z0-9_-]{16,}(?:\.[A-Za-z0-9_-]+){0,2}/g,
]

/** `https://user:password@host` */
const IN_ADDRESS = /(:\/\/[^/\s:@]{0,64}:)[^/\s@]{1,256}@/g

/** `Authorization: Bearer …` */
const SCHEME = /\b((?:Bearer|Basic|Token) )([A-Za-z0-9+/=._~-]{8,})/g

/** `PASSWORD=…`, `"api_key": "…"`, `--token …` */
const NAMED =
  /((?:password|passwd|passphrase|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|client[_-]?secret|credentials?)(?:\\?["'])?(?: {0,2}[:=] {0,2}| (?=[^\s"'\\:=]{12}))(?:\\?["'])?)([^\s"'\\,;&<>()[\]{}]+)/gi

/**
 * True for types and keywords that code contains in this place, and for values that are already
 * redacted.
 */
function isHarmless(value: string): boolean {
  return HARMLESS_WORDS.has(value.toLowerCase()) || value.startsWith('$') || value.startsWith('[')
}

const HARMLESS_WORDS = new Set(
  'string number boolean unknown object null undefined none true false bearer basic token'.split(
    ' ',
  ),
)

/** Redacts whole blocks. A block without an end marker extends to the end of the text. */
function withoutPrivateKeys(text: string): string {
  let out = ''
  let from = 0
  for (const { 0: begin, index } of text.matchAll(/-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----/g)) {
    if (index < from) continue
    out += text.slice(from, index) + begin + HIDDEN
    const end = text.indexOf('-----END', index + begin.length)
    from = end < 0 ? text.length : end
  }
  return out + text.slice(from)
}
