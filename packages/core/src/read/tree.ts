import { kept } from './cached.ts'
import type { Marks } from './marks.ts'

/** Stands for a tool's name in a mark, so that tables of marks are the same for all tools. Pictures cannot contain it. */
export const NAME = '\u2060'

/** How much of a mark is at a place: all of it, a part that the end of the text cuts off, or none. */
export type Match = 'all' | 'part' | 'none'

/** `of` is the number of the block that it begins, where that matters. */
export interface Mark {
  readonly mark: string
  readonly anyCase: boolean
  readonly of: number
}

/** Marks that begin with the same `depth` characters, ignoring case. It grows only where text leads, so it stays small. */
export interface Tree {
  readonly depth: number
  /** Those that end there. */
  readonly ends: Mark[]
  /** Those that continue. */
  readonly list: Mark[]
  /** What they continue with, in lowercase, or after a name, once that was needed. */
  below?: Below
}

type Below = {
  readonly codes: readonly number[]
  readonly trees: readonly Tree[]
  readonly named: Tree | undefined
}

/** A tree without marks. */
export function newTree(depth = 0): Tree {
  return { depth, ends: [], list: [] }
}

/**
 * Adds the marks at `at`, in text that ends at `end`, to `found`. Returns whether the text ends inside another one. `NAME` in
 * a mark stands for each of the `names`; after `name`, the rest of the mark begins at `from`.
 */
export function walk(
  root: Tree,
  text: string,
  at: number,
  end: number,
  found: Mark[],
  names?: Marks,
  from: number = at,
  name = '',
): boolean {
  let tree = root
  let cut = at >= end
  for (let i = from; ; i++) {
    for (const one of tree.ends) {
      const mark = one.mark.split(NAME).join(name)
      if (one.anyCase || text.startsWith(mark, at)) found.push({ ...one, mark })
    }
    if (tree.list.length === 0 || i >= end) return cut || tree.list.length > 0
    const { codes, trees, named } = (tree.below ??= grow(tree))
    if (named && names) {
      const here: Mark[] = []
      if (names.find(text, i, end, here)) cut = true
      for (const { mark } of here)
        if (walk(named, text, at, end, found, names, i + mark.length, mark)) cut = true
    }
    const index = codes.indexOf(lower(text.charCodeAt(i)))
    if (index < 0) return cut
    tree = trees[index]!
  }
}

function grow({ depth, list }: Tree): Below {
  const groups = new Map<number, Tree>()
  for (const one of list) {
    const group = kept(groups, lower(one.mark.charCodeAt(depth)), () => newTree(depth + 1))
    group[one.mark.length > depth + 1 ? 'list' : 'ends'].push(one)
  }
  const named = groups.get(NAME_CODE)
  groups.delete(NAME_CODE)
  return { codes: [...groups.keys()], trees: [...groups.values()], named }
}

const NAME_CODE = NAME.charCodeAt(0)

/** How much of one mark is at `at`, in text that ends at `end`. */
export function compare(
  text: string,
  at: number,
  end: number,
  mark: string,
  anyCase = false,
): Match {
  for (let i = 0; i < mark.length; i++) {
    if (at + i >= end) return 'part'
    const code = text.charCodeAt(at + i)
    const wanted = mark.charCodeAt(i)
    if (code !== wanted && !(anyCase && lower(code) === lower(wanted))) return 'none'
  }
  return 'all'
}

/** The lowercase of an ASCII letter: the case rules of other scripts change lengths. */
function lower(code: number): number {
  return code >= 65 && code <= 90 ? code + 32 : code
}
