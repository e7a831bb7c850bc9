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
  /** Those that end after these characters. */
  readonly ends: Mark[]
  /** Those that continue. */
  readonly list: Mark[]
  /** What they continue with, in lowercase, and their trees, once that was needed. */
  codes: readonly number[]
  next: readonly Tree[]
}

/** A tree of marks that are not empty. */
export function treeOf(list: Mark[]): Tree {
  return { ends: [], list, codes: [], next: [] }
}

/**
 * The length of the shortest mark at `at`, in text that ends at `end`; 0: there is none; -1: the text ends inside one.
 * With `found`, all marks are added to it, and the result is -1 or 0.
 */
export function walk(root: Tree, text: string, at: number, end: number, found?: Mark[]): number {
  let tree = root
  for (let i = at; i < end; i++) {
    if (tree.next.length === 0) {
      if (tree.list.length < 2) return tree.list.length && one(tree.list[0]!, text, at, end, found)
      grow(tree, i - at)
    }
    const index = tree.codes.indexOf(lower(text.charCodeAt(i)))
    if (index < 0) return 0
    tree = tree.next[index]!
    for (const mark of tree.ends) {
      if (!stands(mark, text, at)) continue
      if (!found) return mark.mark.length
      found.push(mark)
    }
  }
  return -1
}

/** The same for a single mark. */
export function one(mark: Mark, text: string, at: number, end: number, found?: Mark[]): number {
  const match = compare(text, at, end, mark.mark, true)
  if (match !== 'all') return match === 'part' ? -1 : 0
  if (!stands(mark, text, at)) return 0
  found?.push(mark)
  return found ? 0 : mark.mark.length
}

function grow(tree: Tree, depth: number): void {
  const groups = new Map<number, Tree>()
  for (const mark of tree.list) {
    const code = lower(mark.mark.charCodeAt(depth))
    const below = groups.get(code) ?? treeOf([])
    groups.set(code, below)
    below[mark.mark.length > depth + 1 ? 'list' : 'ends'].push(mark)
  }
  tree.codes = [...groups.keys()]
  tree.next = [...groups.values()]
}

/** Whether a mark that was found ignoring case is really there. */
function stands({ mark, anyCase }: Mark, text: string, at: number): boolean {
  return anyCase || text.startsWith(mark, at)
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
