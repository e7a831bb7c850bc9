import type { ComparedSides } from '../decide/file-system.ts'
import type { ObjectWords } from './git-objects.ts'
import type { Argument } from './option.ts'
import { entries, type Usage } from './program.ts'
import { hasOption } from './reach.ts'

/**
 * What a command of git compares, if it shows nothing but the differences: `git diff HEAD~1 -- src`, `git diff --cached`,
 * `git show`. Undefined: something else, or too complicated. Whether a word is a revision is left to whoever looks it up: git
 * refuses a word that may also be a path.
 */
export function comparedSides(
  given: readonly Argument[],
  usage: Usage,
  { mark, exists }: ObjectWords,
): ComparedSides | undefined {
  const { compares } = usage
  if (!compares) return undefined
  const plain = entries(compares.with)
  const revisions: string[] = []
  for (const argument of given) {
    if (argument.type === 'option') {
      if (!plain.some(({ name }) => name === argument.name)) return undefined
      continue
    }
    const { at, value } = argument
    if (value === undefined) return undefined
    const isPath = mark < 0 ? exists(value) : at > mark
    if (!isPath) revisions.push(...value.split(/\.\.(?!\.)/).map((name) => name || 'HEAD'))
  }
  const [first, second, third] = revisions.map((commit) => ({ commit }))
  if (third) return undefined
  if (compares.as === 'show')
    return second ? undefined : { from: 'parent', to: first ?? { commit: 'HEAD' } }
  const isStaged = hasOption(given, '--cached --staged', usage)
  if (second) return isStaged ? undefined : { from: first!, to: second }
  if (isStaged) return { from: first ?? { commit: 'HEAD' }, to: 'index' }
  return first && { from: first, to: 'files' }
}
