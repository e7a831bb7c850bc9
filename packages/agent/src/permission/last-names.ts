import { fold, foldGlob } from '../path/fold.ts'
import { type Glob, lieOf } from '../path/glob.ts'
import { readName } from '../path/read-name.ts'
import { canonicalTools } from './canonical.ts'
import type { Rule } from './rule.ts'

/**
 * Whether rules that deny or ask may mean a file for its own name. If not, they mean it only with a folder that it lies in:
 * then what is known of the folder is known of the file. It is quick, and says yes where it cannot tell. Undefined: there
 * are no such rules.
 */
export function lastNames(rules: readonly Rule[]): ((name: string) => boolean) | undefined {
  const globs = rules.filter(forbidsFiles).map(lastName)
  if (globs.length === 0) return undefined
  const isAny = globs.includes(undefined)
  return (name) =>
    isAny ||
    !PLAIN.test(name) ||
    globs.some((glob) => glob && lieOf(glob, [fold(name)]) === 'whole')
}

function forbidsFiles({ verdict, tool }: Rule): boolean {
  const { reads, writes, lists } = canonicalTools.get(tool) ?? {}
  return verdict !== 'allow' && (reads ?? writes ?? lists) !== undefined
}

/** Names that no system reads in another way. */
const PLAIN = /^[\w.+-]*[\w+-]$/

/** What the last name of a pattern means, in any case of letters; undefined: it may be any. */
function lastName({ pattern, except }: Rule): Glob | undefined {
  const last = pattern
    ?.split('/')
    .filter((name) => name !== '' && name !== '**')
    .at(-1)
  // Exceptions leave a folder open whose content is not.
  if (last === undefined || except || !/^[\w.+*?-]+$/.test(last)) return undefined
  const read = readName(last)
  return 'problem' in read ? undefined : foldGlob([read.name])
}
