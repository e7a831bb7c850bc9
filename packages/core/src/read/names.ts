import { cached } from './cached.ts'
import { Marks } from './marks.ts'

/** The names of the tools. */
export interface Names {
  readonly list: readonly string[]
  /** To find them, ignoring case. */
  readonly marks: Marks
}

const known = new Map<string, Names>()

/** The names of these tools. Cached, so that what depends on them can be cached by their identity. */
export function namesOf(tools: readonly { readonly name: string }[]): Names {
  const list = tools.map(({ name }) => name).filter((name) => name !== '')
  return cached(known, JSON.stringify(list), () => ({ list, marks: new Marks(list, true) }))
}
