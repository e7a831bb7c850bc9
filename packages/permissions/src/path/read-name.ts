import { type CharacterClass, DEEP, MANY, type Mark, type Name, ONE } from './glob.ts'

/** One name of a pattern as it is written: `*`, `?`, `[a-z]`, `[!a]`, and `\` before what is meant to the letter. */
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
      if (next === undefined) return { problem: 'Nothing stands behind the last "\\".' }
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
  let behind = marks.length
  while (!isMark(marks[behind - 1]!)) behind--
  return {
    head: lettersOf(marks.slice(0, first)),
    marks: marks.slice(first, behind),
    tail: lettersOf(marks.slice(behind)),
  }
}

function lettersOf(marks: readonly Mark[]): string {
  return marks.filter((mark) => typeof mark === 'string').join('')
}

/** What stands between `[` and `]`; a `]` right at the beginning is one of the characters. */
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
    if (!low) return { problem: '"[" has no "]".' }
    if (low.letter === '[' && ':.='.includes(letters[at + 1] ?? ' '))
      return { problem: 'Classes by name, such as [:alpha:], are not known: write [a-zA-Z].' }
    at = low.end
    const isRange = letters[at] === '-' && letters[at + 1] !== ']' && letters[at + 1] !== undefined
    const high = isRange ? letterAt(letters, at + 1) : low
    if (!high) return { problem: '"[" has no "]".' }
    const range: [number, number] = [low.letter.codePointAt(0)!, high.letter.codePointAt(0)!]
    if (range[0] > range[1])
      return { problem: `Nothing lies between ${low.letter} and ${high.letter}.` }
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
