import { canonicalTools } from './canonical-tools.ts'
import { cachedByRules } from '../rule/cache.ts'
import type { Rule } from '../rule/rule.ts'

/**
 * Whether rules that deny or ask may mean a file for its own name. If not, they mean it only with a folder that it lies in:
 * then what is known of the folder is known of the file. It is quick, and says yes where it cannot tell. Undefined: there
 * are no such rules.
 */
export const forbiddenNames: (rules: readonly Rule[]) => ((name: string) => boolean) | undefined =
  cachedByRules((rules) => {
    const tests = rules.filter(forbidsFiles).map(mayMeanName)
    if (tests.length === 0) return undefined
    return (name) => {
      const folded = name.toLowerCase()
      return !PLAIN.test(name) || tests.some((mayMean) => mayMean(folded))
    }
  })

function forbidsFiles({ verdict, tool }: Rule): boolean {
  const { reads, writes, lists } = canonicalTools.get(tool) ?? {}
  return verdict !== 'allow' && (reads ?? writes ?? lists) !== undefined
}

/** Names that no system reads in another way. */
const PLAIN = /^[\w.+-]*[\w+-]$/

/** Whether the last name of a pattern may mean a name: what stands between wildcards is there, in order. */
function mayMeanName({ pattern, except }: Rule): (name: string) => boolean {
  const last = pattern
    ?.toLowerCase()
    .split('/')
    .filter((name) => name !== '' && name !== '.' && name !== '**')
    .at(-1)
  // Exceptions leave a folder open whose content is not.
  if (last === undefined || last === '..' || except || !/^[\w.+*?-]+$/.test(last)) return () => true
  const [head = '', ...rest] = last.split(/[*?]+/)
  const tail = rest.pop()
  if (tail === undefined) return (name) => name === head
  return (name) => {
    let at = name.startsWith(head) ? head.length : -1
    for (const piece of rest) at = at < 0 ? at : endOf(piece, name, at)
    return at >= 0 && name.length - tail.length >= at && name.endsWith(tail)
  }
}

function endOf(piece: string, name: string, from: number): number {
  const at = name.indexOf(piece, from)
  return at < 0 ? at : at + piece.length
}
