import { kept } from './cached.ts'
import type { Input } from './input.ts'
import { type Mark, type Match, NAME, newTree, type Tree, walk } from './tree.ts'

type Place = Pick<Input, 'buffer' | 'cursor' | 'end' | 'ended'>

/** A set of marks to look for: a table of first characters, then trees. Joined sets share these. */
export class Marks {
  empty = true
  /** By the low byte of a first character: the bits of each second one. */
  readonly first: Int32Array = new Int32Array(256)
  #trees: readonly Tree[] = [newTree()]
  /** What comes before the name in marks with `NAME`. */
  readonly #named = new Set<string>()
  #names: Marks | undefined
  /** What was made from these marks and something else. */
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

  /** These marks for tools of these names. Until then, a mark with `NAME` in it is nowhere. Cached. */
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

  /** These marks, each with and without `prefix` before it. Not for marks with names. Cached. */
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
    // Anything may follow a mark of one character.
    const bits = mark.length > 1 ? bitOf(mark.charCodeAt(1)) : -1
    for (const start of anyCase ? [mark.toLowerCase(), mark.toUpperCase()] : [mark])
      this.first[start.charCodeAt(0) & 255]! |= bits
  }

  /** The length of the shortest mark here; 0: there is none. */
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

  /** The numbers of all blocks that begin here, in order. Undefined: it takes more text to tell. */
  numbersAt({ buffer, cursor, end, ended }: Place): readonly number[] | undefined {
    const found: Mark[] = []
    if (this.find(buffer, cursor, end, found) < 0 && !ended) return undefined
    let numbers: readonly number[] | undefined
    for (const { of } of found) numbers = numbers ? union(numbers, of) : of
    return numbers ?? NONE
  }

  /** Walks all trees: what it returns is explained there. */
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

/** A bit for a character: the same in both cases, and another for a letter than for the signs that often follow a bracket. */
export function bitOf(code: number): number {
  return 1 << (code ^ ((code >> 6) * 7))
}

/** Both lists as one, in order. Cached, so that what depends on the numbers can be cached by their identity. */
function union(one: readonly number[], other: readonly number[]): readonly number[] {
  const known = kept(unions, one, () => new WeakMap<readonly number[], readonly number[]>())
  return kept(known, other, () => [...new Set([...one, ...other])].sort((a, b) => a - b))
}

const unions = new WeakMap<readonly number[], WeakMap<readonly number[], readonly number[]>>()
const NONE: readonly number[] = []

export const NO_MARKS: Marks = new Marks()

/** Where a line ends. */
export const LINE_END: Marks = new Marks(['\n'])
