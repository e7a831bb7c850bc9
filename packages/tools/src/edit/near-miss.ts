import { closestLine } from './closest-line.ts'
import { findAll } from './find-all.ts'
import { lineAt, linesOf } from './lines.ts'
import { plainPunctuation } from './punctuation.ts'

/** In longer texts only the closest line is looked for. */
const MAX_CHARACTERS = 500_000

/** What is said of old text that is nowhere in a file: what is there instead, and in what it differs. */
export function nearMiss(text: string, old: string): string {
  if (text === '') return 'The file is empty.'
  if (hasLineNumbers(old))
    return 'old_string has the line numbers in it that Read shows; leave out each number and the tab behind it.'
  for (const [what, reduce] of text.length > MAX_CHARACTERS ? [] : DIFFERENCES) {
    const reduced = reduce(text)
    const [start, second] = findAll(reduced.text, reduce(old).text.trim(), { most: 2 })
    if (start === undefined) continue
    const place = lineAt(linesOf(text), reduced.places[start]!)
    const also = second === undefined ? '' : ', and there are more such places'
    return `${what} differs at line ${place}${also}. ${shown(text, old, place)}`
  }
  const place = closestLine(text, old)
  if (place === undefined) return 'Nothing in the file is like it.'
  return `The closest lines begin at line ${place}. ${shown(text, old, place)}`
}

/** Text in which something no longer counts, and where each of its characters comes from. */
interface Reduced {
  readonly text: string
  readonly places: ArrayLike<number>
}

const DIFFERENCES: readonly (readonly [string, (text: string) => Reduced])[] = [
  ['Only whitespace', (text) => reduceBy(text, isSpace)],
  ['Only upper and lower case', (text) => reduceBy(text, never, lowered)],
  ['Only how quotes, dashes or blanks are written', (text) => reduceBy(text, never, plainly)],
  ['Only escaping with backslashes', (text) => reduceBy(unescaped(text), isEscape)],
  [
    'Only whitespace, case or quotes',
    (text) => reduceBy(text, isSpace, (c) => lowered(plainly(c))),
  ],
]

function reduceBy(
  text: string,
  isLeftOut: (character: string) => boolean,
  change: (character: string) => string = (character) => character,
): Reduced {
  const kept: string[] = []
  const places: number[] = []
  for (let at = 0; at < text.length; at++) {
    if (isLeftOut(text[at]!)) continue
    kept.push(change(text[at]!))
    places.push(at)
  }
  return { text: kept.join(''), places }
}

function isSpace(character: string): boolean {
  return character.trim() === ''
}

function never(): boolean {
  return false
}

/** One character for one. */
function lowered(character: string): string {
  const lower = character.toLowerCase()
  return lower.length === 1 ? lower : character
}

function plainly(character: string): string {
  return plainPunctuation(character)
}

/** `\n` and `\t` written out are blanks, which do not count here; no place moves. */
function unescaped(text: string): string {
  return text.replaceAll(/\\[nrt]/g, '  ')
}

function isEscape(character: string): boolean {
  return character === '\\' || isSpace(character)
}

function hasLineNumbers(old: string): boolean {
  const lines = old.split('\n').filter((line) => line !== '')
  return lines.length > 0 && lines.every((line) => /^ {0,5}\d{1,9}\t/.test(line))
}

const SHOWN_LINES = 8
const SHOWN_CHARACTERS = 160

/** Some lines of the file, and the first one that is not as in the old text. */
function shown(text: string, old: string, place: number): string {
  const oldLines = old.split('\n')
  const lines = text
    .split('\n')
    .slice(place - 1, place - 1 + Math.min(oldLines.length, SHOWN_LINES))
  // The old text may begin within its first line.
  const wrong = lines.findIndex((line, index) =>
    index === 0 ? !line.includes(oldLines[0]!) : line !== oldLines[index],
  )
  const there = lines.map((line, index) => `${place + index}: ${visible(line)}`).join('\n')
  if (wrong < 0) return `The file has:\n${there}`
  return `The file has:\n${there}\nold_string has, for line ${place + wrong}: ${visible(oldLines[wrong]!)}`
}

/** A line in quotes, so that blanks at its ends, tabs and odd characters can be seen. */
function visible(line: string): string {
  const short = line.length > SHOWN_CHARACTERS ? `${line.slice(0, SHOWN_CHARACTERS)}…` : line
  return JSON.stringify(short).replaceAll(
    /[\u00a0\u2000-\u206f\u3000\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
