/** Cleans untrusted text for display: truncates it, and removes invisible and bidirectional characters. */
export function cleanText(text: string, maxLength: number): string {
  // The rest would be cut off anyway.
  const clean = text.slice(0, 4 * maxLength).replace(HIDDEN, '')
  return clean.length < maxLength && text.length <= 4 * maxLength
    ? clean
    : `${truncate(clean, maxLength - 1)}…`
}

/** True if a text has no hidden characters. */
export function isClean(text: string): boolean {
  return text.replace(HIDDEN, '') === text
}

/** Control, format, tag, private-use and unpaired characters, variation selectors, line and paragraph separators. */
const HIDDEN = /[^\P{C}\n\t]|[\p{Zl}\p{Zp}\u{fe00}-\u{fe0f}\u{e0100}-\u{e01ef}]/gu

/** The beginning of a text. Surrogate pairs are not split. */
function truncate(text: string, length: number): string {
  const last = text.charCodeAt(length - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length)
}

/** Adds a full stop, unless the text ends with punctuation. */
export function withFullStop(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`
}

/** The local name of a server's tool; undefined if it is empty or too long. */
export function localToolName(server: string, tool: string): string | undefined {
  const name = `mcp__${server}__${tool.replaceAll(/[^A-Za-z0-9_-]/g, '_')}`
  return tool === '' || name.length > MAX_NAME_LENGTH ? undefined : name
}

const MAX_NAME_LENGTH = 128

/** The names that occur more than once, ignoring case. */
export function ambiguousNames(names: readonly string[]): ReadonlySet<string> {
  const seen = new Map<string, number>()
  const keyOf = (name: string): string => name.toLowerCase()
  for (const name of names) seen.set(keyOf(name), (seen.get(keyOf(name)) ?? 0) + 1)
  return new Set(names.filter((name) => seen.get(keyOf(name))! > 1))
}
