import type { Word } from 'unbash'
import type { SearchableFileSystem } from '../decide/look-up.ts'
import { DEEP, ANY_NAME, type Name, relationOf } from '../path/glob.ts'
import { readName } from '../path/pattern.ts'
import { realPath } from '../path/segments.ts'

/** The file names that match a pattern. */
export interface ExpandedGlob {
  /** The names relative to the folder. If nothing matches, the pattern itself, as in Bash. */
  readonly names: readonly string[]
  /** The folders in which names were compared, relative to the folder. */
  readonly folders: readonly string[]
}

/** The maximum number of names, which are judged one by one. */
const MAX_NAMES = 500

/**
 * Expands a pattern of file names at the time of the decision. The names replace it in the text
 * that runs, so small differences from Bash are safe: exactly the judged names are used. Undefined
 * if the word is not a plain pattern, leads out of the folder, matches too many names, or exceeds
 * the budget for comparisons. Its names are then unknown until it runs.
 */
export function expandGlob(
  { pattern, text }: Pattern,
  folder: string,
  fileSystem: SearchableFileSystem,
  budget: { left: number },
): ExpandedGlob | undefined {
  if (!fileSystem.identify || !fileSystem.listed) return undefined
  if (/^[/~]|(?:^|\/)\.\.(?:\/|$)/.test(text)) return undefined
  const folders: string[] = []
  let found = ['']
  const parts = pattern.split('/')
  for (const [at, part] of parts.entries()) {
    const isLast = at === parts.length - 1
    if (part === '') {
      // A final slash matches only folders.
      if (!isLast) continue
      found = found.filter((path) => fileSystem.identify?.(`${folder}/${path}`)?.isFolder)
      continue
    }
    const read = readName(part)
    if ('problem' in read) return undefined
    const next: string[] = []
    for (const path of found) {
      const names = namesIn(path, read.name)
      if (!names) return undefined
      next.push(...names.map((name) => `${path}${name}${isLast ? '' : '/'}`))
      if (next.length > MAX_NAMES) return undefined
    }
    found = next
  }
  return { names: found.length > 0 ? found.sort() : [text], folders }

  /** The names in a folder that match one part of the pattern, or undefined if unknown. */
  function namesIn(path: string, name: Name): readonly string[] | undefined {
    if (typeof name === 'string')
      return fileSystem.identify?.(`${folder}/${path}${name}`) ? [name] : []
    const real = realPath(`${folder}/${path}`.replace(/\/+$/, ''), fileSystem)
    if (real === undefined) return undefined
    // Files have no entries.
    if (fileSystem.identify?.(real)?.isFolder !== true) return []
    folders.push(path || '.')
    const entries = fileSystem.listed?.(real, false)
    if ((budget.left -= entries?.length ?? 0) < 0) return undefined
    const wanted = name === DEEP ? ANY_NAME : name
    return entries?.flatMap((entry) =>
      entry.path.startsWith('.') === wanted.head.startsWith('.') &&
      relationOf([wanted], [entry.path]) === 'whole'
        ? [entry.path]
        : [],
    )
  }
}

/** A pattern of file names, with a backslash before each quoted character. */
export interface Pattern {
  readonly pattern: string
  /** The pattern without the backslashes. */
  readonly text: string
}

/** The pattern in a word, or undefined if the word has other parts. */
export function patternOf({ parts = [], value }: Word): Pattern | undefined {
  let pattern = ''
  for (const part of parts) {
    if (part.type === 'Literal' || part.type === 'SingleQuoted') pattern += escaped(part.value)
    else if (part.type === 'Glob' && (part.parts ?? []).every((inner) => inner.type === 'Literal'))
      pattern += part.text
    else if (part.type === 'DoubleQuoted' && part.parts.every((inner) => inner.type === 'Literal'))
      for (const inner of part.parts)
        pattern += inner.type === 'Literal' ? escaped(inner.value) : ''
    else return undefined
  }
  return { pattern, text: value }
}

const escaped = (text: string): string => text.replace(/[*?[\]\\]/g, '\\$&')
