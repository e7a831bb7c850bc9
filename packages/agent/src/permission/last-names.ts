import { canonicalTools } from './canonical.ts'
import type { Rule } from './rule.ts'

/**
 * Whether rules that deny or ask may mean a file for its own name. If not, they mean it only with a folder that it lies in:
 * then what is known of the folder is known of the file. It is quick, and says yes where it cannot tell. Undefined: there
 * are no such rules.
 */
export function lastNames(rules: readonly Rule[]): ((name: string) => boolean) | undefined {
  const tests = rules.filter(forbidsFiles).map(lastName)
  if (tests.length === 0) return undefined
  return (name) => !PLAIN.test(name) || tests.some((test) => test.test(name))
}

function forbidsFiles({ verdict, tool }: Rule): boolean {
  const { reads, writes, lists } = canonicalTools.get(tool) ?? {}
  return verdict !== 'allow' && (reads ?? writes ?? lists) !== undefined
}

/** Names that no system reads in another way. */
const PLAIN = /^[\w.+-]*[\w+-]$/

/** What the last name of a pattern means, in any case of letters. */
function lastName({ pattern, except }: Rule): RegExp {
  const last = pattern
    ?.split('/')
    .filter((name) => name !== '' && name !== '**')
    .at(-1)
  // Exceptions leave a folder open whose content is not.
  if (last === undefined || except || !/^[\w.+*?-]+$/.test(last)) return /^/
  return new RegExp(`^${last.replaceAll(/[.+*?-]/g, (mark) => MARKS[mark] ?? `\\${mark}`)}$`, 'i')
}

const MARKS: Readonly<Record<string, string>> = { '*': '.*', '?': '.' }
