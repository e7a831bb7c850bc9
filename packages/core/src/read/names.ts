import { cached, kept } from './cached.ts'
import { Marks } from './marks.ts'
import { byNumber } from './written-key.ts'

/** The names of the tools, to find them in any case. */
export type Names = Marks

const known = new Map<string, Names>()

/** The names of these tools. Cached, so that what depends on them can be cached by their identity. */
export function namesOf(tools: readonly { readonly name: string }[]): Names {
  // A list that cannot change need not be looked at again.
  return Object.isFrozen(tools) ? kept(lists, tools, () => find(tools)) : find(tools)
}

const lists = new WeakMap<readonly object[], Names>()

function find(tools: readonly { readonly name: string }[]): Names {
  const names = tools.map(({ name }) => name)
  return cached(known, JSON.stringify(names), () => {
    return new Marks(new Set(names.flatMap((name) => [name, byNumber(name)])), true)
  })
}
