import { expandBraces } from './braces.ts'
import { type GlobPart, looser, matchesPart, readPart } from './glob-part.ts'

/** A pattern of names: `*` and `?` stay in one folder, `**` spans folders, `{a,b}` and `[a-z]` choose. */
export interface Glob {
  /** Whether a name fits, or is the pattern to the letter, as `[id].tsx` may be. */
  readonly matches: (name: string) => boolean
  /** Globs for the last part of a name, none of which fails where the pattern fits; undefined: it can be any. */
  readonly endings: readonly string[] | undefined
}

/** Reads a pattern; undefined: it stands for too many. It never takes long, whatever the pattern. */
export function readGlob(pattern: string): Glob | undefined {
  const choices = expandBraces(pattern)?.map(partsOf)
  if (!choices) return undefined
  const fast = choices.map(fastOf)
  const last = choices.map((parts) => parts.at(-1)!)
  const literal = pattern.slice(pattern.lastIndexOf('/') + 1)
  return {
    matches: (name) => name === pattern || fast.some((matches) => matches(name)),
    endings: last.includes(FOLDERS)
      ? undefined
      : [...new Set([...(last as GlobPart[]).map(looser), looser(plain(literal))])],
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
  // What ends in a slash means all that is in there.
  if (pattern.endsWith('/') && parts.at(-1) !== FOLDERS) parts.push(FOLDERS)
  return parts.length > 0 ? parts : [[]]
}

function plain(text: string): GlobPart {
  return Array.from(text, (character) => ({ type: 'character', character }))
}

/** `**\/*.ts` and `**\/*`, by far the most common, need no parts. */
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

/** The end must lie in the last part of the name. */
function endsWith(name: string, ending: string): boolean {
  return name.endsWith(ending) && !ending.includes('/')
}

/** As for one part: it goes back to the last `**` only. */
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
  // A last `**` still wants a name: only files are matched.
  return part === parts.length
}
