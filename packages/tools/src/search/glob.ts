// Folder: Glob and Grep.
import { setImmediate } from 'node:timers/promises'
import { ToolError } from '@toolglot/agent'

/** Maximum number of patterns that the braces of one glob expand to. */
const MAX_EXPANSIONS = 256

/** The maximum length of a glob, in characters, which equals the maximum length of a path. */
const MAX_GLOB = 4096

/**
 * A pattern of file names: `*` and `?` stay in one folder, `**` spans folders, `{a,b}` and `[a-z]`
 * are alternatives.
 *
 * This is separate from the globs of permission rules (`path/glob.ts` in the permissions package),
 * which differ on purpose. A malformed rule is refused, a rule never matches more than its text,
 * and it reports its relation to a folder. A search accepts any text, also matches a pattern
 * literally (`[id].tsx`), matches only files, expands braces, and gives ripgrep a looser glob for
 * the last part. A shared implementation would need a switch for each of these.
 */
export interface Glob {
  /** True if a name matches, or equals the pattern, as for `[id].tsx`. */
  readonly matches: (name: string) => boolean
  /**
   * Globs for the last part of a name. If the pattern matches, one of them does. Undefined if any
   * last part is possible.
   */
  readonly endings: readonly string[] | undefined
}

/** Parses a glob. Throws a ToolError if it is too long, or its braces expand to too many patterns. Matching is fast for any pattern. */
export function readGlob(pattern: string): Glob {
  const choices = expandBraces(pattern)?.map(partsOf)
  if (!choices)
    throw new ToolError(
      'invalid_input',
      `The glob is too long or expands to too many patterns. The limits are ${MAX_GLOB} characters and ${MAX_EXPANSIONS} patterns.`,
    )
  const fast = choices.map(fastOf)
  const last = choices.map((parts) => parts.at(-1)!)
  const literal = pattern.slice(pattern.lastIndexOf('/') + 1)
  return {
    matches: (name) => name === pattern || fast.some((matches) => matches(name)),
    endings: last.includes(FOLDERS)
      ? undefined
      : [...new Set([...(last as GlobPart[]).map(loosen), loosen(plain(literal))])],
  }
}

const FOLDERS = Symbol('**')

type Part = GlobPart | typeof FOLDERS

function partsOf(pattern: string): Part[] {
  const parts: Part[] = []
  for (const text of pattern.split('/')) {
    if (text === '**') {
      if (parts.at(-1) !== FOLDERS) parts.push(FOLDERS)
    } else if (text !== '' && text !== '.') parts.push(readPart(text))
  }
  // A pattern that ends in a slash matches all files in that folder.
  if (pattern.endsWith('/') && parts.at(-1) !== FOLDERS) parts.push(FOLDERS)
  return parts.length > 0 ? parts : [[]]
}

function plain(text: string): GlobPart {
  return Array.from(text, (character) => ({ type: 'character', character }))
}

/** A fast path for `**\/*.ts` and `**\/*`, by far the most common. */
function fastOf(parts: readonly Part[]): (name: string) => boolean {
  const [first, second] = parts
  if (first === FOLDERS && parts.length === 1) return () => true
  if (
    first === FOLDERS &&
    parts.length === 2 &&
    second !== FOLDERS &&
    second?.[0]?.type === 'any'
  ) {
    const rest = second.slice(1)
    const ending = rest.map((piece) => (piece.type === 'character' ? piece.character : '')).join('')
    if (rest.every(({ type }) => type === 'character')) return (name) => endsWith(name, ending)
  }
  return (name) => matchesParts(parts, name.split('/'))
}

/** The ending must be in the last part of the name. */
function endsWith(name: string, ending: string): boolean {
  return name.endsWith(ending) && !ending.includes('/')
}

/** Backtracks only to the last `**`, as `matchesPart` does for `*`. */
function matchesParts(parts: readonly Part[], names: readonly string[]): boolean {
  let part = 0
  let at = 0
  let folders = -1
  let foldersAt = 0
  while (at < names.length) {
    const wanted = parts[part]
    if (wanted === FOLDERS) {
      folders = part++
      foldersAt = at
    } else if (wanted && matchesPart(wanted, names[at]!)) {
      part++
      at++
    } else if (folders >= 0) {
      part = folders + 1
      at = ++foldersAt
    } else return false
  }
  // A trailing `**` still needs a name: only files are matched.
  return part === parts.length
}

/** Expands `a{b,c}` to `ab` and `ac`; undefined if there would be more than `max` patterns, or the pattern is too long. */
function expandBraces(pattern: string, max: number = MAX_EXPANSIONS): string[] | undefined {
  if (pattern.length > MAX_GLOB) return undefined
  const open = openingOf(pattern)
  if (!open) return [pattern]
  const before = pattern.slice(0, open.from)
  const rests = expandBraces(pattern.slice(open.to + 1), max)
  if (!rests) return undefined
  const found: string[] = []
  for (const choice of open.choices) {
    const middles = expandBraces(choice, max)
    if (!middles || found.length + middles.length * rests.length > max) return undefined
    for (const middle of middles) for (const rest of rests) found.push(before + middle + rest)
  }
  return found
}

/**
 * The index of the first brace that is closed and contains a comma. Other braces are plain text.
 */
function openingOf(
  pattern: string,
): { readonly from: number; readonly to: number; readonly choices: readonly string[] } | undefined {
  const open: { from: number; commas: number[] }[] = []
  const closed: { from: number; to: number; commas: number[] }[] = []
  let inClass = false
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern[at]
    if (character === '\\') at++
    else if (inClass) inClass = character !== ']'
    else if (character === '[') inClass = pattern.includes(']', at + 1)
    else if (character === '{') open.push({ from: at, commas: [] })
    else if (character === ',') open.at(-1)?.commas.push(at)
    else if (character === '}') {
      const brace = open.pop()
      if (brace && brace.commas.length > 0) closed.push({ ...brace, to: at })
    }
  }
  const first = closed.sort((one, other) => one.from - other.from)[0]
  if (!first) return undefined
  const ends = [first.from, ...first.commas, first.to]
  const choices = ends.slice(1).map((end, index) => pattern.slice(ends[index]! + 1, end))
  return { from: first.from, to: first.to, choices }
}

/** One part of a glob, between two slashes, as a list of pieces. */
type GlobPart = readonly GlobPiece[]

/** `*` (any), `?` (one), `[a-z]` (class), or one character. */
type GlobPiece =
  | { readonly type: 'any' }
  | { readonly type: 'one' }
  | { readonly type: 'class'; readonly not: boolean; readonly ranges: readonly Range[] }
  | { readonly type: 'character'; readonly character: string }

type Range = readonly [from: string, to: string]

/** Parses one part of a glob. Every text is valid: an unclosed `[` matches itself. */
function readPart(text: string): GlobPart {
  const characters = Array.from(text)
  const pieces: GlobPiece[] = []
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at]!
    if (character === '*') {
      if (pieces.at(-1)?.type !== 'any') pieces.push({ type: 'any' })
    } else if (character === '?') pieces.push({ type: 'one' })
    else if (character === '[') {
      const end = endOfClass(characters, at)
      if (end === undefined) pieces.push({ type: 'character', character })
      else {
        pieces.push(readClass(characters.slice(at + 1, end)))
        at = end
      }
    } else if (character === '\\' && at + 1 < characters.length)
      pieces.push({ type: 'character', character: characters[++at]! })
    else pieces.push({ type: 'character', character })
  }
  return pieces
}

/** A `]` directly after the opening bracket is one of the characters. */
function endOfClass(characters: readonly string[], open: number): number | undefined {
  const negated = characters[open + 1] === '!' || characters[open + 1] === '^'
  const end = characters.indexOf(']', open + (negated ? 3 : 2))
  return end < 0 ? undefined : end
}

function readClass(characters: readonly string[]): GlobPiece {
  const not = characters[0] === '!' || characters[0] === '^'
  const ranges: Range[] = []
  for (let at = not ? 1 : 0; at < characters.length; at++) {
    const from = characters[at]!
    const isRange = characters[at + 1] === '-' && at + 2 < characters.length
    ranges.push([from, isRange ? characters[at + 2]! : from])
    if (isRange) at += 2
  }
  return { type: 'class', not, ranges }
}

/**
 * True if a name matches. Backtracks only to the last `*`, so the time is at most the product of
 * both lengths.
 */
function matchesPart(part: GlobPart, text: string): boolean {
  const characters = Array.from(text)
  let piece = 0
  let at = 0
  let star = -1
  let starAt = 0
  while (at < characters.length) {
    const wanted = part[piece]
    if (wanted?.type === 'any') {
      star = piece++
      starAt = at
    } else if (wanted && fits(wanted, characters[at]!)) {
      piece++
      at++
    } else if (star >= 0) {
      piece = star + 1
      at = ++starAt
    } else return false
  }
  return part.slice(piece).every(({ type }) => type === 'any')
}

function fits(piece: GlobPiece, character: string): boolean {
  if (piece.type === 'character') return piece.character === character
  if (piece.type === 'class')
    return piece.ranges.some(([from, to]) => from <= character && character <= to) !== piece.not
  return true
}

/**
 * A simpler glob that matches at least the same names and has the same meaning in every glob
 * implementation.
 */
function loosen(part: GlobPart): string {
  return part
    .map((piece) => {
      if (piece.type !== 'character') return '*'
      return /[\\*?[\]{}]/.test(piece.character) ? `\\${piece.character}` : piece.character
    })
    .join('')
}

/**
 * Filters with a slow test, in slices of time: other work can run in between, and a signal stops
 * it.
 */
export async function filterInSlices<Item>(
  items: readonly Item[],
  test: (item: Item) => boolean,
  signal: AbortSignal,
): Promise<Item[]> {
  const kept: Item[] = []
  let started = performance.now()
  for (let at = 0; at < items.length; at++) {
    if (test(items[at]!)) kept.push(items[at]!)
    if (at % 64 !== 63 || performance.now() - started < SLICE) continue
    await setImmediate()
    signal.throwIfAborted()
    started = performance.now()
  }
  return kept
}

/** The length of a slice, in milliseconds. */
const SLICE = 20

/** Compares by code units, so the order is independent of the locale. */
export function byName(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}
