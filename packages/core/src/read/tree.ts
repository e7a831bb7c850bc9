import { kept } from './cached.ts'
import type { Marks } from './marks.ts'

/** Stands for a tool's name in a mark, so that tables of marks are the same for all tools. Pictures cannot contain it. */
export const NAME = '\u2060'

/** How much of a mark is at a place: all of it, a part that the end of the text cuts off, or none. */
export type Match = 'all' | 'part' | 'none'

/** `of` are the numbers of the blocks that it begins, in order, where that matters. */
export interface Mark {
  readonly mark: string
  readonly anyCase: boolean
  readonly of: readonly number[]
}

/** Marks that begin with the same `depth` characters, ignoring case. It grows only where text leads, so it stays small. */
export interface Tree {
  readonly depth: number
  /** Those that end there. */
  readonly ends: Mark[]
  /** Those that continue. */
  readonly list: Mark[]
  /** What they continue with, in lowercase, or after a name, once that was needed. */
  below: Below | undefined
}

type Below = {
  readonly trees: ReadonlyMap<number, Tree>
  readonly named: Tree | undefined
  /** The only one, if there is only one, and its code: most of a long mark is like that. */
  readonly only: Tree | undefined
  readonly code: number
}

/** A tree without marks. */
export function newTree(depth = 0): Tree {
  return { depth, ends: [], list: [], below: undefined }
}

/**
 * The length of a mark at `at`, in text that ends at `end`; 0: there is none; -1: the text ends inside one. With `found`, all
 * marks are added to it, and the result is -1 or 0. `NAME` in a mark stands for each of the `names`; after `name`, the rest of
 * the mark begins at `from`.
 */
export function walk(
  root: Tree,
  text: string,
  at: number,
  end: number,
  found?: Mark[],
  names?: Marks,
  from: number = at,
  name = '',
): number {
  let tree = root
  let cut = at < end ? 0 : -1
  for (let i = from; i < end; i++) {
    const { trees, named, only, code } = tree.below ?? grow(tree)
    if (named && names) {
      const size = walkNamed(named, text, at, end, found, names, i)
      if (size > 0) return size
      cut = Math.min(cut, size)
    }
    const here = lower(text.charCodeAt(i))
    const next = only && here === code ? only : trees.get(here)
    if (!next) return cut
    tree = next
    if (tree.ends.length > 0) {
      const size = ended(tree, text, at, found, name)
      if (size > 0) return size
    }
  }
  return tree.list.length > 0 ? -1 : cut
}

/** The same where a name may come next. */
function walkNamed(
  tree: Tree,
  text: string,
  at: number,
  end: number,
  found: Mark[] | undefined,
  names: Marks,
  from: number,
): number {
  if (names.find(text, from, end) === 0) return 0
  const here: Mark[] = []
  let cut = names.find(text, from, end, here)
  for (const { mark } of here) {
    const size =
      ended(tree, text, at, found, mark) ||
      walk(tree, text, at, end, found, names, from + mark.length, mark)
    if (size > 0) return size
    cut = Math.min(cut, size)
  }
  return cut
}

/** The same for marks that end here. */
function ended(
  { ends }: Tree,
  text: string,
  at: number,
  found: Mark[] | undefined,
  name: string,
): number {
  for (const one of ends) {
    const mark = name === '' ? one.mark : withName(one.mark, name)
    if (!one.anyCase && compare(text, at, text.length, mark) !== 'all') continue
    if (!found) return mark.length
    found.push(name === '' ? one : { ...one, mark })
  }
  return 0
}

/** Most are just a name, and ordinary text may contain many. */
function withName(mark: string, name: string): string {
  return mark === NAME ? name : mark.split(NAME).join(name)
}

function grow(tree: Tree): Below {
  const { depth, list } = tree
  const groups = new Map<number, Tree>()
  for (const one of list) {
    const group = kept(groups, lower(one.mark.charCodeAt(depth)), () => newTree(depth + 1))
    if (one.mark.length > depth + 1) group.list.push(one)
    else addEnd(group.ends, one)
  }
  const named = groups.get(NAME_CODE)
  groups.delete(NAME_CODE)
  const [code = NaN] = groups.keys()
  const only = groups.size === 1 ? groups.get(code) : undefined
  return (tree.below = { trees: groups, named, only, code })
}

/** The same mark may begin many blocks: it is compared once for all of them. */
function addEnd(ends: Mark[], one: Mark): void {
  const at = ends.findIndex(({ mark, anyCase }) => mark === one.mark && anyCase === one.anyCase)
  if (at < 0) ends.push(one)
  else ends[at] = { ...one, of: [...new Set([...ends[at]!.of, ...one.of])] }
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
