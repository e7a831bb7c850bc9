/**
 * Describes the first invisible or misleading character in a text, or returns undefined if there is
 * none.
 */
export function invisibleIn(text: string): string | undefined {
  for (const letter of text) {
    const code = letter.codePointAt(0)!
    if (isInvisible(code)) return `the invisible character ${named(code)}`
  }
  return undefined
}

/** Prepares a text for display: spells out invisible characters and shortens long text. */
export function showInvisible(text: string): string {
  let out = ''
  for (const letter of text.length > MAX ? text.slice(0, MAX) : text) {
    const code = letter.codePointAt(0)!
    out += isInvisible(code) ? `‹${named(code)}›` : letter
  }
  return text.length > MAX ? `${out}…` : out
}

const MAX = 300

function named(code: number): string {
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
}

/**
 * Control characters, lone surrogates, zero-width characters, and those that change the text
 * direction.
 */
function isInvisible(code: number): boolean {
  return RANGES.some(([from, to]) => from <= code && code <= to)
}

const RANGES: readonly (readonly [number, number])[] = [
  [0x00, 0x1f],
  [0x7f, 0xa0],
  [0xad, 0xad],
  [0x034f, 0x034f],
  [0x061c, 0x061c],
  [0x115f, 0x1160],
  [0x1680, 0x1680],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x2000, 0x200f],
  [0x2028, 0x202f],
  [0x205f, 0x206f],
  [0x3164, 0x3164],
  [0xd800, 0xdfff],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff0, 0xfffb],
  [0xe0000, 0xe0fff],
]
