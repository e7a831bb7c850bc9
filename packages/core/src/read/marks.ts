import { kept } from './cached.ts'
import type { Input } from './input.ts'

/**
 * A placeholder for a tool's name in a mark, so that tables of marks are the same for all tools.
 * Pictures cannot contain this character.
 */
export const NAME = '\u2060'
const NAME_CODE = NAME.charCodeAt(0)

/** The extent of a match: the whole mark, a part at the end of the text, or none. */
export type Match = 'all' | 'part' | 'none'

/**
 * A mark to search for. `of` are the indexes of the blocks that it begins, in order, where needed.
 */
export interface Mark {
  readonly mark: string
  readonly anyCase: boolean
  readonly of: readonly number[]
}

/**
 * A set of marks for searching: a table of first characters, then trees. Joined sets share the
 * trees.
 */
export class Marks {
  empty = true
  /** For the low byte of a first character, the bits of all second characters. */
  readonly first: Int32Array = new Int32Array(256)
  #trees: readonly Tree[] = [newTree()]
  /** The text before the name in marks with `NAME`. */
  readonly #named = new Set<string>()
  #names: Marks | undefined
  /** Sets made from these marks and another object. */
  readonly #made = new WeakMap<object, Marks>()
  readonly #prefixed = new Map<string, Marks>()

  constructor(marks: Iterable<string> = [], anyCase = false) {
    this.add(marks, anyCase)
  }

  /** The marks of both sets. Cached. */
  join(other: Marks | undefined): Marks {
    if (!other || other.empty) return this
    return this.#made.get(other) ?? this.#joined(other)
  }

  #joined(other: Marks): Marks {
    return this.#make(other, (made) => {
      made.#trees = [...new Set([...this.#trees, ...other.#trees])]
      made.#names ??= other.#names
      made.empty = false
      for (let i = 0; i < 256; i++) made.first[i]! |= other.first[i]!
    })
  }

  /** Fills in the tools' names. Without names, a mark with `NAME` never matches. Cached. */
  for(names: Marks): Marks {
    if (this.#named.size === 0 || names.empty) return this
    return this.#make(names, (made) => {
      made.#names = names
      for (const before of this.#named)
        for (const { mark } of names.#trees[0]!.list) made.#begin(before + mark, true)
    })
  }

  #make(from: object, change: (made: Marks) => void): Marks {
    return kept(this.#made, from, () => {
      const made = new Marks()
      made.empty = this.empty
      made.first.set(this.first)
      made.#trees = this.#trees
      made.#names = this.#names
      change(made)
      return made
    })
  }

  /** Each mark, with and without `prefix`. Must not be used for marks with names. Cached. */
  withPrefix(prefix: string): Marks {
    if (prefix === '') return this
    return kept(this.#prefixed, prefix, () => {
      const made = new Marks()
      for (const { list } of this.#trees)
        for (const { mark, anyCase } of list) made.add([prefix + mark, mark], anyCase)
      return made
    })
  }

  add(marks: Iterable<string>, anyCase = false, of = 0): void {
    for (const mark of marks) {
      if (mark === '') continue
      this.empty = false
      const at = mark.indexOf(NAME)
      this.#trees[0]!.list.push({ mark, anyCase, of: [of] })
      if (at < 0) this.#begin(mark, anyCase)
      else this.#named.add(mark.slice(0, at))
    }
  }

  #begin(mark: string, anyCase: boolean): void {
    // A mark of one character may precede any second character.
    const bits = mark.length > 1 ? bitOf(mark.charCodeAt(1)) : -1
    for (const start of anyCase ? [mark.toLowerCase(), mark.toUpperCase()] : [mark])
      this.first[start.charCodeAt(0) & 255]! |= bits
  }

  /** The length of the shortest mark at the current place, or 0 if there is none. */
  lengthAt({ buffer, cursor, end }: Place): number {
    const found: Mark[] = []
    this.find(buffer, cursor, end, found)
    return found.length > 0 ? Math.min(...found.map(({ mark }) => mark.length)) : 0
  }

  /** The best match of any mark at `at`, in text that ends at `end`. */
  match(text: string, at: number, end: number): Match {
    const size = this.find(text, at, end)
    return size > 0 ? 'all' : size < 0 ? 'part' : 'none'
  }

  /** The indexes of all blocks that begin here, in order, or undefined if more text is needed. */
  numbersAt({ buffer, cursor, end, ended }: Place): readonly number[] | undefined {
    const found: Mark[] = []
    if (this.find(buffer, cursor, end, found) < 0 && !ended) return undefined
    let numbers: readonly number[] | undefined
    for (const { of } of found) numbers = numbers ? union(numbers, of) : of
    return numbers ?? NONE
  }

  /** Searches all trees. Returns the same result as `walk`. */
  find(text: string, at: number, end: number, found?: Mark[]): number {
    const bits = this.first[text.charCodeAt(at) & 255]!
    if (at + 1 < end && !(bits & bitOf(text.charCodeAt(at + 1)))) return 0
    let cut = 0
    for (const tree of this.#trees) {
      const size = walk(tree, text, at, end, found, this.#names)
      if (size > 0) return size
      cut = Math.min(cut, size)
    }
    return cut
  }
}

/**
 * A bit for a character. It is the same for both cases of a letter, and different for letters and
 * for the signs that often follow a bracket.
 */
export function bitOf(code: number): number {
  return 1 << (code ^ ((code >> 6) * 7))
}

/** Both lists combined, in order. Cached, so that other caches can use the identity of the list. */
function union(one: readonly number[], other: readonly number[]): readonly number[] {
  const known = kept(unions, one, () => new WeakMap<readonly number[], readonly number[]>())
  return kept(known, other, () => [...new Set([...one, ...other])].sort((a, b) => a - b))
}

const unions = new WeakMap<readonly number[], WeakMap<readonly number[], readonly number[]>>()
const NONE: readonly number[] = []

/**
 * Marks that begin with the same `depth` characters, ignoring case. The tree grows only along the
 * text that is read, so it stays small.
 */
interface Tree {
  readonly depth: number
  /** The marks that end at this depth. */
  readonly ends: Mark[]
  /** The marks that continue. */
  readonly list: Mark[]
  /** The subtrees for the next character in lowercase, or after a name. Built on first use. */
  below: Below | undefined
}

type Below = {
  readonly trees: ReadonlyMap<number, Tree>
  readonly named: Tree | undefined
  /** The only subtree, if there is just one, with its code. Most of a long mark is like that. */
  readonly only: Tree | undefined
  readonly code: number
}

/** A tree without marks. */
function newTree(depth = 0): Tree {
  return { depth, ends: [], list: [], below: undefined }
}

/**
 * The length of a mark at `at`, in text that ends at `end`; 0 if there is none; -1 if the text ends
 * inside one. With `found`, all marks are added to it, and the result is -1 or 0. `NAME` in a mark
 * matches each of the `names`. After a `name`, the rest of the mark begins at `from`.
 */
function walk(
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

/** Like `walk`, at a place where a name may follow. */
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

/** Handles the marks that end here. */
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

/** Most such marks are just a name, and ordinary text may contain many names. */
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

/** A mark may begin many blocks but is compared only once. */
function addEnd(ends: Mark[], one: Mark): void {
  const at = ends.findIndex(({ mark, anyCase }) => mark === one.mark && anyCase === one.anyCase)
  if (at < 0) ends.push(one)
  else ends[at] = { ...one, of: [...new Set([...ends[at]!.of, ...one.of])] }
}

/** The extent to which one mark matches at `at`, in text that ends at `end`. */
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

/** The lowercase of an ASCII letter. In other scripts, changing case may change the length. */
function lower(code: number): number {
  return code >= 65 && code <= 90 ? code + 32 : code
}

type Place = Pick<Input, 'buffer' | 'cursor' | 'end' | 'ended'>

export const NO_MARKS: Marks = new Marks()

/** The end of a line. */
export const LINE_END: Marks = new Marks(['\n'])
