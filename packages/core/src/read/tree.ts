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

/** Marks that begin with the same characters, ignoring case. It grows only where text leads, so it stays small. */
export interface Tree {
  /** How many characters are the same. */
  readonly depth: number
  /** Those that end after them. */
  readonly ends: Mark[]
  /** Those that continue. */
  readonly list: Mark[]
  /** What they continue with, in lowercase, and their trees, once that was needed. */
  codes: readonly number[]
  next: readonly Tree[]
  /** What comes after a name. */
  named: Tree | undefined
}

/** A tree without marks. */
export function newTree(depth = 0): Tree {
  return { depth, ends: [], list: [], codes: [], next: [], named: undefined }
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
  for (let i = from; i < end; i++) {
    if (tree.list.length === 0) return cut
    if (tree.next.length === 0) grow(tree)
    if (tree.named && names && walkNamed(tree.named, text, at, end, found, names, i)) cut = true
    const code = lower(text.charCodeAt(i))
    const index = code === NAME_CODE ? -1 : tree.codes.indexOf(code)
    if (index < 0) return cut
    tree = tree.next[index]!
    if (tree.ends.length > 0) addEnds(tree, text, at, found, name)
  }
  return cut || tree.list.length > 0
}

function walkNamed(
  tree: Tree,
  text: string,
  at: number,
  end: number,
  found: Mark[],
  names: Marks,
  from: number,
): boolean {
  const here: Mark[] = []
  let cut = names.find(text, from, end, here)
  for (const { mark } of here) {
    addEnds(tree, text, at, found, mark)
    if (walk(tree, text, at, end, found, names, from + mark.length, mark)) cut = true
  }
  return cut
}

function addEnds({ ends }: Tree, text: string, at: number, found: Mark[], name: string): void {
  for (const one of ends) {
    const mark = one.mark.replace(NAME, () => name)
    if (one.anyCase || text.startsWith(mark, at)) found.push({ ...one, mark })
  }
}

const NAME_CODE = NAME.charCodeAt(0)

function grow(tree: Tree): void {
  const below = tree.depth + 1
  const groups = new Map<number, Tree>()
  for (const one of tree.list) {
    const group = kept(groups, lower(one.mark.charCodeAt(tree.depth)), () => newTree(below))
    group[one.mark.length > below ? 'list' : 'ends'].push(one)
  }
  tree.codes = [...groups.keys()]
  tree.next = [...groups.values()]
  tree.named = groups.get(NAME_CODE)
}

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
