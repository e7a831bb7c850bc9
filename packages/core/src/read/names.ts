import { cached } from './cached.ts'
import { type Tree, treeOf } from './tree.ts'

/** Stands for a tool's name in a mark, so that tables of marks are the same for all tools. Pictures cannot contain it. */
export const NAME = '\u2060'

/** The names of the tools, to find those that a text continues with, ignoring case. */
export type Names = Tree

const known = new Map<string, Names>()

/** The names of these tools. Cached, so that what depends on them can be cached by their identity. */
export function namesOf(tools: readonly { readonly name: string }[]): Names {
  const names = tools.map(({ name }) => name)
  return cached(known, JSON.stringify(names), () =>
    treeOf(names.map((mark) => ({ mark, anyCase: true, of: 0 }))),
  )
}
