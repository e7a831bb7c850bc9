import { canonicalTools } from './canonical.ts'
import { onceFor } from './once.ts'
import type { Rule } from './rule.ts'

/**
 * Whether rules that deny or ask may mean a file for its own name. If not, they mean it only with a folder that it lies in:
 * then what is known of the folder is known of the file. It is quick, and says yes where it cannot tell. Undefined: there
 * are no such rules.
 */
export const lastNames: (rules: readonly Rule[]) => ((name: string) => boolean) | undefined =
  onceFor((rules) => {
    const tests = rules.filter(forbidsFiles).map(lastName)
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

/** Whether the last name of a pattern may mean a name: how both begin and end says enough, and takes no time. */
function lastName({ pattern, except }: Rule): (name: string) => boolean {
  const last = pattern
    ?.toLowerCase()
    .split('/')
    .filter((name) => name !== '' && name !== '**')
    .at(-1)
  // Exceptions leave a folder open whose content is not.
  if (last === undefined || except || !/^[\w.+*?-]+$/.test(last)) return () => true
  const [head = '', ...more] = last.split(/[*?]/)
  const tail = more.at(-1)
  return (name) =>
    tail === undefined ? name === head : name.startsWith(head) && name.endsWith(tail)
}
