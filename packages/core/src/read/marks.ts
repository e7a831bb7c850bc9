import { NAME, type Names } from './names.ts'
import { compare, type Mark, type Match, one, type Tree, treeOf, walk } from './tree.ts'

/** Marks with a tool's name in them, by what comes before it; `mark` is what comes after it. */
interface Named {
  readonly before: string
  readonly list: Mark[]
}

/** A set of marks to look for: a table of first characters, then trees. Joined sets share these. */
export class Marks {
  /** By the low byte of a first character: a bit for the low three bits of each second one, which ignore case. */
  readonly first: Uint8Array = new Uint8Array(256)
  #trees: Tree[] = [treeOf([])]
  #named: Named[] = []
  #names: Names | undefined
  #joined: WeakMap<Marks, Marks> | undefined
  #prefixed: Map<string, Marks> | undefined

  constructor(marks: Iterable<string> = [], anyCase = false) {
    this.add(marks, anyCase)
  }

  get empty(): boolean {
    return !this.#names && this.#trees.every(({ list }) => list.length === 0)
  }

  /** The marks of both sets. Cached. */
  join(other: Marks | undefined): Marks {
    if (!other || other.empty) return this
    this.#joined ??= new WeakMap()
    let joined = this.#joined.get(other)
    if (!joined) {
      joined = this.#copy(this.#names ?? other.#names)
      joined.#trees = [...new Set([...this.#trees, ...other.#trees])]
      joined.#named = [...new Set([...this.#named, ...other.#named])]
      for (let i = 0; i < 256; i++) joined.first[i]! |= other.first[i]!
      this.#joined.set(other, joined)
    }
    return joined
  }

  /** These marks, each with and without `prefix` before it. Cached. */
  withPrefix(prefix: string): Marks {
    if (prefix === '') return this
    this.#prefixed ??= new Map()
    let made = this.#prefixed.get(prefix)
    if (!made) {
      made = new Marks()
      for (const { list } of this.#trees)
        for (const { mark, anyCase } of list) made.add([prefix + mark, mark], anyCase)
      for (const { before, list } of this.#named)
        for (const { mark, anyCase } of list)
          made.add([prefix + before + NAME + mark, before + NAME + mark], anyCase)
      if (this.#names) made = made.for(this.#names)
      this.#prefixed.set(prefix, made)
    }
    return made
  }

  /** These marks for tools of these names. Until then, a mark with a name in it is nowhere. */
  for(names: Names): Marks {
    if (this.#named.length === 0 || names.list.length === 0) return this
    const made = this.#copy(names)
    for (const { before, list } of this.#named)
      for (const name of names.list)
        made.#begin(before + name.mark || list[0]!.mark, list[0]!.anyCase)
    return made
  }

  /** `NAME` in a mark stands for the name of any tool. */
  add(marks: Iterable<string>, anyCase = false, of = 0): void {
    for (const text of marks) {
      if (text === '') continue
      const [before, mark] = text.split(NAME) as [string, string?]
      if (mark === undefined) {
        this.#trees[0]!.list.push({ mark: text, anyCase, of })
        this.#begin(text, anyCase)
        continue
      }
      let group = this.#named.find((each) => each.before === before)
      if (!group) this.#named.push((group = { before, list: [] }))
      group.list.push({ mark, anyCase, of })
    }
  }

  #begin(mark: string, anyCase: boolean): void {
    // Anything may follow a mark of one character.
    const bits = mark.length > 1 ? 1 << (mark.charCodeAt(1) & 7) : 255
    for (const start of anyCase ? [mark.toLowerCase(), mark.toUpperCase()] : [mark])
      this.first[start.charCodeAt(0) & 255]! |= bits
  }

  #copy(names: Names | undefined): Marks {
    const copy = new Marks()
    copy.first.set(this.first)
    copy.#trees = this.#trees
    copy.#named = this.#named
    copy.#names = names
    return copy
  }

  /** The length of the shortest mark at `at`; 0: there is none. */
  lengthAt(text: string, at: number, end: number): number {
    const lengths = this.#trees.map((tree) => walk(tree, text, at, end))
    if (this.#names) lengths.push(this.#walkNamed(this.#names, text, at, end))
    const found = lengths.filter((size) => size > 0)
    return found.length > 0 ? Math.min(...found) : 0
  }

  /** The best match of any mark at `at`, in text that ends at `end`. */
  match(text: string, at: number, end: number): Match {
    // Two characters rule out most places.
    const bits = this.first[text.charCodeAt(at) & 255]!
    if (at + 1 < end && !((bits >> (text.charCodeAt(at + 1) & 7)) & 1)) return 'none'
    let best: Match = 'none'
    for (const tree of this.#trees) {
      const size = walk(tree, text, at, end)
      if (size > 0) return 'all'
      if (size < 0) best = 'part'
    }
    if (!this.#names) return best
    const size = this.#walkNamed(this.#names, text, at, end)
    return size > 0 ? 'all' : size < 0 ? 'part' : best
  }

  /** The numbers of all blocks that begin at `at`, in order. Undefined: it takes more text to tell. */
  numbersAt(text: string, at: number, end: number, ended: boolean): number[] | undefined {
    const found: Mark[] = []
    const sizes = this.#trees.map((tree) => walk(tree, text, at, end, found))
    if (this.#names) sizes.push(this.#walkNamed(this.#names, text, at, end, found))
    if (!ended && sizes.includes(-1)) return undefined
    return [...new Set(found.map(({ of }) => of))].sort((a, b) => a - b)
  }

  /** Like `walk`, for marks with a tool's name in them. */
  #walkNamed(names: Names, text: string, at: number, end: number, found?: Mark[]): number {
    let best = 0
    let cut = false
    for (const { before, list } of this.#named) {
      const match = compare(text, at, end, before, true)
      if (match === 'part') cut = true
      if (match !== 'all') continue
      const here: Mark[] = []
      if (walk(names, text, at + before.length, end, here) < 0) cut = true
      for (const name of here)
        for (const { mark, anyCase, of } of list) {
          const size = one({ mark: before + name.mark + mark, anyCase, of }, text, at, end, found)
          if (size < 0) cut = true
          if (size > 0 && (best === 0 || size < best)) best = size
        }
    }
    return best || (cut ? -1 : 0)
  }
}

export const NO_MARKS: Marks = new Marks()

/** Where a line ends. */
export const LINE_END: Marks = new Marks(['\n'])
