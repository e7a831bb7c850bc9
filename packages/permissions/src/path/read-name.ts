import { type CharacterClass, DEEP, MANY, type Mark, type Name, ONE } from './glob.ts'

/** Parses one part of a pattern: `*`, `?`, `[a-z]`, `[!a]`, and `\` before a literal character. */
export function readName(text: string): { readonly name: Name } | { readonly problem: string } {
  if (text === '**') return { name: DEEP }
  const marks: Mark[] = []
  const letters = Array.from(text)
  for (let at = 0; at < letters.length; at++) {
    const letter = letters[at]!
    if (letter === '*') {
      if (marks.at(-1) !== MANY) marks.push(MANY)
    } else if (letter === '?') marks.push(ONE)
    else if (letter === '\\') {
      const next = letters[++at]
      if (next === undefined) return { problem: 'Expected a character after the last "\\".' }
      marks.push(next)
    } else if (letter === '[') {
      const found = readClass(letters, at + 1)
      if ('problem' in found) return found
      marks.push(found.class)
      at = found.end
    } else marks.push(letter)
  }
  return { name: nameOf(marks) }
}

function nameOf(marks: readonly Mark[]): Name {
  const isMark = (mark: Mark): boolean => typeof mark !== 'string'
  const first = marks.findIndex(isMark)
  if (first < 0) return lettersOf(marks)
  let end = marks.length
  while (!isMark(marks[end - 1]!)) end--
  return {
    head: lettersOf(marks.slice(0, first)),
    marks: marks.slice(first, end),
    tail: lettersOf(marks.slice(end)),
  }
}

function lettersOf(marks: readonly Mark[]): string {
  return marks.filter((mark) => typeof mark === 'string').join('')
}

/** Parses the text between `[` and `]`. A `]` at the start is one of the characters. */
function readClass(
  letters: readonly string[],
  from: number,
): { class: CharacterClass; end: number } | { problem: string } {
  let at = from
  const not = letters[at] === '!' || letters[at] === '^'
  if (not) at++
  const ranges: [number, number][] = []
  for (let first = true; first || letters[at] !== ']'; first = false) {
    const low = letterAt(letters, at)
    if (!low) return { problem: 'Expected "]" after "[".' }
    if (low.letter === '[' && ':.='.includes(letters[at + 1] ?? ' '))
      return { problem: 'Named classes such as [:alpha:] are not supported. Write [a-zA-Z].' }
    at = low.end
    const isRange = letters[at] === '-' && letters[at + 1] !== ']' && letters[at + 1] !== undefined
    const high = isRange ? letterAt(letters, at + 1) : low
    if (!high) return { problem: 'Expected "]" after "[".' }
    const range: [number, number] = [low.letter.codePointAt(0)!, high.letter.codePointAt(0)!]
    if (range[0] > range[1]) return { problem: `Invalid range: ${low.letter}-${high.letter}.` }
    ranges.push(range)
    at = high.end
  }
  return { class: { not, ranges }, end: at }
}

function letterAt(
  letters: readonly string[],
  at: number,
): { letter: string; end: number } | undefined {
  const escaped = letters[at] === '\\'
  const letter = letters[escaped ? at + 1 : at]
  return letter === undefined ? undefined : { letter, end: at + (escaped ? 2 : 1) }
}
