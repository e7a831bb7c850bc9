// Folder: Finding and replacing text, and diffs.
/** A range of a text and its replacement. */
export interface EditMatch {
  readonly start: number
  readonly end: number
  readonly replacement: string
}

/** A requested edit; both strings have LF line ends. */
interface WantedEdit {
  readonly old: string
  readonly replacement: string
}

/** Finds at most two matches: a second one shows that the edit is ambiguous. */
type Matcher = (text: string, wanted: WantedEdit) => EditMatch[]

/** Lines of a text that may match the old lines. */
interface Block {
  readonly first: number
  /** The same number as the old lines, with an empty last one if those end with a line break. */
  readonly lines: readonly string[]
}

/** With more candidates the edit is ambiguous anyway. */
const MAX_BLOCKS = 20

/** Converts indentation in the old text to that in the file. Undefined if that is impossible. */
type Shift = (indent: string) => string | undefined

/** The way the old text was found: exactly, or ignoring a difference of this kind. */
export type MatchKind = 'exact' | 'trailing whitespace' | 'indentation' | 'punctuation'

/** Ways to find text that was copied with small mistakes, in the order of the attempts. */
const LENIENT: readonly (readonly [MatchKind, Matcher])[] = [
  ['trailing whitespace', matchTrailingWhitespace],
  ['indentation', matchIndentation],
  ['punctuation', matchPunctuation],
]

/** The matches of an edit. */
export interface FoundMatches {
  readonly how: MatchKind
  readonly matches: readonly EditMatch[]
}

/**
 * Finds the matches of an edit: exact ones if possible; else lenient ones, unless all matches are
 * to be replaced.
 */
export function findMatches(text: string, wanted: WantedEdit, all: boolean): FoundMatches {
  const { old, replacement } = wanted
  const exact = findAll(text, old, { overlapping: !all })
  if (exact.length > 0 || all || old.trim() === '') {
    const matches = exact.map((start) => ({ start, end: start + old.length, replacement }))
    return { how: 'exact', matches }
  }
  for (const [how, matcher] of LENIENT) {
    const matches = matcher(text, wanted)
    if (matches.length > 0) return { how, matches }
  }
  return { how: 'exact', matches: [] }
}

/** Matches whole lines that differ from the old lines only in trailing whitespace. */
function matchTrailingWhitespace(text: string, wanted: WantedEdit): EditMatch[] {
  const lines = linesOf(text)
  const blocks = findBlocks(lines, wanted.old.split('\n'), (line) => line.trimEnd())
  return blocks.slice(0, 2).flatMap((block) => blockMatch(lines, block, wanted) ?? [])
}

/** Matches whole lines whose indentation differs from the old lines, all in the same way. */
function matchIndentation(text: string, wanted: WantedEdit): EditMatch[] {
  const oldLines = wanted.old.split('\n')
  const lines = linesOf(text)
  const matches: EditMatch[] = []
  for (const block of findBlocks(lines, oldLines, withoutIndent)) {
    const shift = shiftOf(oldLines, block)
    const match = shift && blockMatch(lines, block, wanted, (line) => shifted(line, shift))
    if (match) matches.push(match)
    if (matches.length === 2) break
  }
  return matches
}

function shiftOf(oldLines: readonly string[], { lines }: Block): Shift | undefined {
  const pairs = oldLines
    .map((line, index) => [line, lines[index]!] as const)
    .filter(([line]) => line.trim() !== '')
    .map(([line, own]) => [indentOf(line), indentOf(own)] as const)
  const [first] = pairs
  if (!first) return undefined
  const [from, to] = first
  const shifts: Shift[] = [
    (indent) => to.slice(0, Math.max(0, to.length - from.length)) + indent,
    (indent) => {
      const extra = from.slice(0, Math.max(0, from.length - to.length))
      return indent.startsWith(extra) ? indent.slice(extra.length) : undefined
    },
    ...[2, 4, 8].flatMap((width) => [toTabs(width), toSpaces(width)]),
  ]
  return shifts.find((shift) => pairs.every(([old, own]) => shift(old) === own))
}

function toTabs(width: number): Shift {
  return (indent) =>
    /^ *$/.test(indent) && indent.length % width === 0
      ? '\t'.repeat(indent.length / width)
      : undefined
}

function toSpaces(width: number): Shift {
  return (indent) => (/^\t*$/.test(indent) ? ' '.repeat(indent.length * width) : undefined)
}

function shifted(line: string, shift: Shift): string | undefined {
  if (line.trim() === '') return line
  const indent = shift(indentOf(line))
  return indent === undefined ? undefined : indent + withoutIndent(line)
}

function indentOf(line: string): string {
  return line.slice(0, line.length - withoutIndent(line).length)
}

function withoutIndent(line: string): string {
  return line.trimStart()
}

/** Finds whole lines that equal the old lines after applying `key` to each. */
function findBlocks(
  text: Lines,
  oldLines: readonly string[],
  key: (line: string) => string,
): Block[] {
  const trailing = oldLines.length > 1 && oldLines.at(-1) === '' ? 1 : 0
  const wanted = oldLines.slice(0, oldLines.length - trailing).map(key)
  const found = findAll(text.texts.map(key), wanted, { max: MAX_BLOCKS })
  return found
    .filter((first) => first + wanted.length + trailing <= text.texts.length)
    .map((first) => ({
      first,
      lines: [...text.texts.slice(first, first + wanted.length), ...(trailing ? [''] : [])],
    }))
}

/**
 * Replaces a block with new lines. Lines that the edit does not change keep the block's form;
 * `adapt` converts all other lines; if it fails, there is no match.
 */
function blockMatch(
  { starts }: Lines,
  block: Block,
  { old, replacement }: WantedEdit,
  adapt: (line: string) => string | undefined = (line) => line,
): EditMatch | undefined {
  const oldLines = old.split('\n')
  const newLines = replacement.split('\n')
  const max = Math.min(oldLines.length, newLines.length)
  let before = 0
  while (before < max && oldLines[before] === newLines[before]) before++
  let after = 0
  while (after < max - before && oldLines.at(-1 - after) === newLines.at(-1 - after)) after++

  const changed: string[] = []
  for (const line of newLines.slice(before, newLines.length - after)) {
    const adapted = adapt(line)
    if (adapted === undefined) return undefined
    changed.push(adapted)
  }
  const { first, lines } = block
  const kept = lines.slice(lines.length - after)
  const start = starts[first]!
  return {
    start,
    end: start + lines.join('\n').length,
    replacement: [...lines.slice(0, before), ...changed, ...kept].join('\n'),
  }
}

/**
 * Matches text that differs only in the characters for quotes, dashes and spaces: `“a”` for `"a"`.
 */
function matchPunctuation(text: string, { old, replacement }: WantedEdit): EditMatch[] {
  const found = findAll(plainPunctuation(text), plainPunctuation(old), { max: 2 })
  const max = Math.min(old.length, replacement.length)
  let before = 0
  while (before < max && old[before] === replacement[before]) before++
  let after = 0
  while (after < max - before && old.at(-1 - after) === replacement.at(-1 - after)) after++

  return found.map((start) => {
    const end = start + old.length
    const changed = replacement.slice(before, replacement.length - after)
    // Text that the edit does not change is kept as in the file.
    const kept = text.slice(start, start + before) + changed + text.slice(end - after, end)
    return { start, end, replacement: kept }
  })
}

/**
 * Replaces typographic quotes, dashes and spaces with ASCII, one for one, so that indexes stay the
 * same.
 */
export function plainPunctuation(text: string): string {
  return text.replaceAll(ODD, (character) => PLAIN[character]!)
}

const PLAIN: Readonly<Record<string, string>> = Object.fromEntries(
  [
    ["'", '\u2018\u2019\u201a\u201b\u2032'],
    ['"', '\u201c\u201d\u201e\u201f\u2033'],
    ['-', '\u2010\u2011\u2012\u2013\u2014\u2015\u2212'],
    [' ', '\u00a0\u2002\u2003\u2007\u2009\u202f\u3000'],
  ].flatMap(([plain, odd]) => Array.from(odd!, (character) => [character, plain!])),
)

const ODD = new RegExp(`[${Object.keys(PLAIN).join('')}]`, 'g')

/** The lines of a text, and their start indexes. */
interface Lines {
  readonly texts: readonly string[]
  readonly starts: readonly number[]
}

/** Splits a text into lines. */
export function linesOf(text: string): Lines {
  const texts = text.split('\n')
  const starts: number[] = []
  let start = 0
  for (const line of texts) {
    starts.push(start)
    start += line.length + 1
  }
  return { texts, starts }
}

/** The number, from 1, of the line that contains an index. */
export function lineAt({ starts }: Lines, place: number): number {
  let low = 0
  let high = starts.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (starts[middle]! <= place) low = middle + 1
    else high = middle
  }
  return low
}

/**
 * The indexes of a pattern in a text, at most `max`. Always takes linear time (Knuth-Morris-Pratt).
 */
export function findAll<Unit>(
  text: ArrayLike<Unit>,
  pattern: ArrayLike<Unit>,
  { max = Infinity, overlapping = true }: { max?: number; overlapping?: boolean } = {},
): number[] {
  const found: number[] = []
  if (pattern.length === 0) return found
  const fallback = fallbacks(pattern)
  let matched = 0
  for (let at = 0; at < text.length && found.length < max; at++) {
    while (matched > 0 && text[at] !== pattern[matched]) matched = fallback[matched - 1]!
    if (text[at] === pattern[matched]) matched++
    if (matched < pattern.length) continue
    found.push(at - matched + 1)
    matched = overlapping ? fallback[matched - 1]! : 0
  }
  return found
}

/** For each prefix of a pattern: the length of its longest proper suffix that is also a prefix. */
function fallbacks<Unit>(pattern: ArrayLike<Unit>): Int32Array {
  const fallback = new Int32Array(pattern.length)
  for (let at = 1, matched = 0; at < pattern.length; at++) {
    while (matched > 0 && pattern[at] !== pattern[matched]) matched = fallback[matched - 1]!
    if (pattern[at] === pattern[matched]) matched++
    fallback[at] = matched
  }
  return fallback
}
