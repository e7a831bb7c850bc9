import type { Protocol } from '../protocol.ts'

/** All text in a protocol's pictures, exactly as drawn. */
export function drawnIn(protocol: Protocol): string[] {
  const { call, section, variants, reasoning, answer, result, results, error, ignore } = protocol
  return [call, section, variants, reasoning, answer, result, results, error, ignore]
    .flat(3)
    .filter((part) => typeof part === 'string')
}

/** The same without surrounding whitespace or duplicates. */
export function marksOf(protocol: Protocol): string[] {
  const drawn = drawnIn(protocol).map((part) => part.trim())
  return [...new Set(drawn)].filter((part) => part !== '')
}

/** Random texts made of these pieces; the same ones each time. */
export function* soup(pieces: readonly string[], count: number): Iterable<string> {
  let state = 1
  const next = (below: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  for (let i = 0; i < count; i++) {
    yield Array.from({ length: 1 + next(16) }, () => pieces[next(pieces.length)]!).join('')
  }
}

/** What may surround marks, and what breaks the text between them. */
export const oddities: readonly string[] = [
  ...[...'{}[]()"\'\\,:`'.split(''), '```', '\n', '\n\n', ' ', '<', '</'],
  ...['{"a": 1}', '"name"', '"arguments"', 'ping', 'null', '<think>', '</think>', '<tool_call>'],
  ...['\u{1f600}', '\ud800', '\0', '\ufeff', '__proto__'],
]

/** Values that are easily damaged between marks. */
export const values: readonly string[] = [
  ...['', ' x ', '\nx\n', 'a\nb', '\t', 'say "hi"', "it's", 'back\\slash', 'C:\\new', '{"a": 1}'],
  ...['[]', '{}', 'null', 'true', '1', '1.0', '- a: b # c', '`code`', '```\nx\n```', '&lt;b&gt;'],
  ...['</b>', '$&', 'Hà Nội 你好 \u{1f600}', 'x = [1, 2]', 'a, b: c', '\u2060'],
]
