import { canonicalTools } from './canonical-tools.ts'
import { cachedByRules, type Rule } from '../rule/rule.ts'

/**
 * Returns a test for names of files that a deny or ask rule may match. If none does, rules cover
 * the file only together with its folder, so the folder's verdict applies to the file. The test is
 * quick, and true when in doubt. Undefined if there are no such rules.
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

/** Names that are the same on every system. */
const PLAIN = /^[\w.+-]*[\w+-]$/

/**
 * Returns a test for names that may match the last part of a pattern: they contain the text between
 * its wildcards, in order.
 */
function mayMeanName({ pattern, except }: Rule): (name: string) => boolean {
  const last = pattern
    ?.toLowerCase()
    .split('/')
    .filter((name) => name !== '' && name !== '.' && name !== '**')
    .at(-1)
  // With exceptions, a folder may be allowed although its content is not.
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
