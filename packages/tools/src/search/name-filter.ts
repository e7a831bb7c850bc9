import { ToolError } from '@toolglot/agent'
import { pathIn, shownPath } from './place.ts'
import { readGlob } from './glob.ts'

/** Which files are searched. */
export interface NameFilter {
  readonly matches: (name: string) => boolean
  readonly endings?: readonly string[]
}

/**
 * Reads a glob that filters files. Without a slash it means the last part of a name; with one, the name from the folder that
 * is searched or from the working folder. `!` in front turns it round.
 */
export function nameFilter(glob: string | undefined, folder: string, cwd: string): NameFilter {
  if (glob === undefined) return { matches: () => true }
  const negated = glob.startsWith('!')
  const pattern = (negated ? glob.slice(1) : glob).replace(/^\.?\//, '')
  const read = readGlob(pattern)
  if (!read)
    throw new ToolError('invalid_input', 'Expected a glob whose braces stand for at most 256.')
  const fits = pattern.includes('/')
    ? (name: string) => read.matches(name) || read.matches(shownPath(pathIn(folder, name), { cwd }))
    : (name: string) => read.matches(name.slice(name.lastIndexOf('/') + 1))
  return negated
    ? { matches: (name) => !fits(name) }
    : { matches: fits, ...(read.endings ? { endings: read.endings } : {}) }
}
