import { ToolError } from '@toolglot/agent'
import { expandBraces, MAX_EXPANSIONS, MAX_GLOB } from './braces.ts'
import { type GlobPart, loosen, matchesPart, readPart } from './glob-part.ts'

/**
 * A pattern of file names: `*` and `?` stay in one folder, `**` spans folders, `{a,b}` and `[a-z]` are alternatives.
 *
 * It is separate from the glob of permission rules (`path/glob.ts` in the permissions package) because the two differ on
 * purpose. A malformed rule is refused, a rule never matches more than it says, and it reports how a folder relates to it.
 * A search accepts any text, also matches a pattern literally (`[id].tsx`), matches files only, expands braces, and gives
 * ripgrep a looser glob for the last part. One implementation would need a switch for each of these.
 */
export interface Glob {
  /** Whether a name matches, or is exactly the pattern, as `[id].tsx` may be. */
  readonly matches: (name: string) => boolean
  /** Globs for the last part of a name: if the pattern matches, so does one of them. Undefined if it can be anything. */
  readonly endings: readonly string[] | undefined
}

/** Parses a glob. Throws a ToolError if it is too long, or its braces expand to too many patterns. Matching is fast for any pattern. */
export function readGlob(pattern: string): Glob {
  const choices = expandBraces(pattern)?.map(partsOf)
  if (!choices)
    throw new ToolError(
      'invalid_input',
      `Expected a glob of at most ${MAX_GLOB} characters whose braces expand to at most ${MAX_EXPANSIONS} patterns.`,
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
  // A pattern that ends in a slash means everything in that folder.
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

/** Backtracks to the last `**` only, as `matchesPart` does to the last `*`. */
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
