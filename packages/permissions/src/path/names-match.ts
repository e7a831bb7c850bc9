import { type Glob, relationOf } from './glob.ts'
import { readName } from './read-name.ts'

/** Tests whether a name matches one of these patterns. An invalid pattern may match anything. */
export function namesMatch(patterns: readonly string[]): (name: string) => boolean {
  const globs = patterns.map((pattern): Glob | undefined => {
    const read = readName(pattern)
    return 'problem' in read ? undefined : [read.name]
  })
  return (name) => globs.some((glob) => !glob || relationOf(glob, [name]) === 'whole')
}
