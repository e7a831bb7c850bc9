import { findAll, lineAt, linesOf, plainPunctuation } from './find-matches.ts'

/** The maximum length of a text in which to search for more than the closest line. */
const MAX_CHARACTERS = 500_000

/** Explains why the old text was not found, by comparing it with similar text in the file. */
export function nearMiss(text: string, old: string): string {
  if (text === '') return 'The file is empty.'
  if (hasLineNumbers(old))
    return 'old_string contains the line numbers that Read shows; remove each number and the tab after it.'
  for (const [what, reduce] of text.length > MAX_CHARACTERS ? [] : DIFFERENCES) {
    const reduced = reduce(text)
    const [start, second] = findAll(reduced.text, reduce(old).text.trim(), { max: 2 })
    if (start === undefined) continue
    const place = lineAt(linesOf(text), reduced.places[start]!)
    const also = second === undefined ? '' : ' and in other places'
    return `${what} differs at line ${place}${also}. ${compare(text, old, place)}`
  }
  const place = closestLine(text, old)
  if (place === undefined) return 'Nothing in the file is similar.'
  return `The closest text starts at line ${place}. ${compare(text, old, place)}`
}

/** Text with some differences removed, and the original index of each character. */
interface Reduced {
  readonly text: string
  readonly places: ArrayLike<number>
}

const DIFFERENCES: readonly (readonly [string, (text: string) => Reduced])[] = [
  ['Only whitespace', (text) => reduceBy(text, isSpace)],
  ['Only upper and lower case', (text) => reduceBy(text, never, toLowerCase)],
  ['Only the form of quotes, dashes or spaces', (text) => reduceBy(text, never, plainPunctuation)],
  ['Only escaping with backslashes', (text) => reduceBy(unescaped(text), isEscape)],
  [
    'Only whitespace, case or quotes',
    (text) => reduceBy(text, isSpace, (character) => toLowerCase(plainPunctuation(character))),
  ],
]

function reduceBy(
  text: string,
  isIgnored: (character: string) => boolean,
  change: (character: string) => string = (character) => character,
): Reduced {
  const kept: string[] = []
  const places: number[] = []
  for (let at = 0; at < text.length; at++) {
    if (isIgnored(text[at]!)) continue
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

/** The lowercase form of a character if it has the same length, so that indexes stay the same. */
function toLowerCase(character: string): string {
  const lower = character.toLowerCase()
  return lower.length === 1 ? lower : character
}

/**
 * Replaces the escapes `\n`, `\r` and `\t` with whitespace, which is ignored. Indexes stay the
 * same.
 */
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

/** Shows some lines of the file, and the first line of the old text that is different. */
function compare(text: string, old: string, place: number): string {
  const oldLines = old.split('\n')
  const lines = text
    .split('\n')
    .slice(place - 1, place - 1 + Math.min(oldLines.length, SHOWN_LINES))
  // The old text may start in the middle of its first line.
  const wrong = lines.findIndex((line, index) =>
    index === 0 ? !line.includes(oldLines[0]!) : line !== oldLines[index],
  )
  const actual = lines.map((line, index) => `${place + index}: ${visible(line)}`).join('\n')
  if (wrong < 0) return `The file has:\n${actual}`
  return `The file has:\n${actual}\nold_string has, for line ${place + wrong}: ${visible(oldLines[wrong]!)}`
}

/** Quotes a line, so that leading and trailing whitespace, tabs and unusual characters are visible. */
function visible(line: string): string {
  const short = line.length > SHOWN_CHARACTERS ? `${line.slice(0, SHOWN_CHARACTERS)}…` : line
  return JSON.stringify(short).replaceAll(
    /[\u00a0\u2000-\u206f\u3000\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/**
 * The number of the line, from 1, that is most similar to the missing text; undefined if no line
 * is.
 */
export function closestLine(text: string, old: string): number | undefined {
  const lines = text.split('\n').map((line) => line.trim())
  const oldLines = old.split('\n').map((line) => line.trim())
  return byEqualLines(lines, oldLines) ?? bySimilarity(lines, oldLines)
}

/** Each equal line votes for a position of the first old line. */
function byEqualLines(lines: readonly string[], oldLines: readonly string[]): number | undefined {
  const wanted = new Map<string, number>()
  // Short lines, such as a bracket, are too common to count.
  for (const [index, line] of oldLines.entries()) if (line.length > 3) wanted.set(line, index)
  const votes = new Map<number, number>()
  for (const [index, line] of lines.entries()) {
    const place = wanted.get(line)
    if (place !== undefined) votes.set(index - place, (votes.get(index - place) ?? 0) + 1)
  }
  let best: number | undefined
  for (const [place, count] of votes)
    if (best === undefined || count > votes.get(best)!) best = place
  return best === undefined ? undefined : Math.max(0, best) + 1
}

const MAX_LINES = 20_000
const MAX_COMPARED_CHARACTERS = 300

/** Finds the line that shares the most pairs of letters with the longest old line. */
function bySimilarity(lines: readonly string[], oldLines: readonly string[]): number | undefined {
  const longest = oldLines.reduce((one, other) => (other.length > one.length ? other : one))
  const wanted = pairsOf(longest)
  let best = 0.5
  let place: number | undefined
  for (const [index, line] of lines.slice(0, MAX_LINES).entries()) {
    const pairs = pairsOf(line)
    let common = 0
    for (const pair of pairs) if (wanted.has(pair)) common++
    const similarity = (2 * common) / (pairs.size + wanted.size || 1)
    if (similarity <= best) continue
    best = similarity
    place = index - oldLines.indexOf(longest)
  }
  return place === undefined ? undefined : Math.max(0, place) + 1
}

function pairsOf(line: string): Set<string> {
  const text = line.slice(0, MAX_COMPARED_CHARACTERS).toLowerCase()
  const pairs = new Set<string>()
  for (let at = 0; at + 1 < text.length; at++) pairs.add(text.slice(at, at + 2))
  return pairs
}
