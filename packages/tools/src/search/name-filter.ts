import { pathIn, shownPath } from './place.ts'
import { readGlob } from './glob.ts'

/** Selects the files to search. */
export interface NameFilter {
  readonly matches: (name: string) => boolean
  /** See `Glob.endings`. */
  readonly endings?: readonly string[]
}

/**
 * Parses a glob that filters files. Without a slash it matches the last part of a name; with one, the name relative to the
 * searched folder or to the working directory. A leading `!` negates it.
 */
export function nameFilter(glob: string | undefined, folder: string, cwd: string): NameFilter {
  if (glob === undefined) return { matches: () => true }
  const negated = glob.startsWith('!')
  const pattern = (negated ? glob.slice(1) : glob).replace(/^\.?\//, '')
  const read = readGlob(pattern)
  const fits = pattern.includes('/')
    ? (name: string) => read.matches(name) || read.matches(shownPath(pathIn(folder, name), { cwd }))
    : (name: string) => read.matches(name.slice(name.lastIndexOf('/') + 1))
  return negated
    ? { matches: (name) => !fits(name) }
    : { matches: fits, ...(read.endings ? { endings: read.endings } : {}) }
}
