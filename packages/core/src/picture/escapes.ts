/**
 * The value and the end of the escape at a backslash. The value is undefined if the escape is
 * invalid.
 */
export function escapeAt(text: string, at: number): { value: string | undefined; to: number } {
  const letter = text[at + 1] ?? ''
  if (letter === 'x') return hex(text, at + 2, 2)
  if (letter === 'u' && text[at + 2] === '{') {
    const [all = '', digits = ''] = /^([0-9a-f]+)\}/i.exec(text.slice(at + 3, at + 12)) ?? []
    const code = Number.parseInt(digits, 16)
    if (!(code <= 0x10ffff)) return { value: undefined, to: at + 3 }
    return { value: String.fromCodePoint(code), to: at + 3 + all.length }
  }
  if (letter === 'u') return hex(text, at + 2, 4)
  if (letter === '\r' && text[at + 2] === '\n') return { value: '', to: at + 3 }
  if (/[1-9]/.test(letter) || (letter === '0' && /\d/.test(text[at + 2] ?? '')) || letter === '')
    return { value: undefined, to: Math.min(at + 2, text.length) }
  return { value: Object.hasOwn(LETTERS, letter) ? LETTERS[letter] : letter, to: at + 2 }
}

const LETTERS: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  b: '\b',
  f: '\f',
  v: '\v',
  0: '\0',
  '\n': '',
  '\r': '',
  '\u2028': '',
  '\u2029': '',
}

function hex(
  text: string,
  from: number,
  length: number,
): { value: string | undefined; to: number } {
  const digits = text.slice(from, from + length)
  if (digits.length < length || !/^[0-9a-f]+$/i.test(digits)) return { value: undefined, to: from }
  return { value: String.fromCharCode(Number.parseInt(digits, 16)), to: from + length }
}
