/** How much of a mark is at a place: all of it, a part that the end of the text cuts off, or none. */
export type Match = 'all' | 'part' | 'none'

/** A node of the tree of marks: what may come next, by its lowercase letter, and the marks that end here. */
interface Node {
  codes: readonly number[]
  next: readonly Node[]
  ends: readonly Mark[]
}

/** `of` is the number of the block that it begins, where that matters. */
interface Mark {
  readonly mark: string
  readonly anyCase: boolean
  readonly of: number
}

/** A set of marks to look for: a table of first characters, then a tree. Joined sets share their trees. */
export class Marks {
  /** By the low byte of a character: 1 if a mark begins with such a character. */
  readonly first: Uint8Array = new Uint8Array(256)
  #trees: Node[] = [newNode()]
  #list: Mark[] = []
  readonly #joined = new WeakMap<Marks, Marks>()
  readonly #prefixed = new Map<string, Marks>()

  constructor(marks: Iterable<string> = [], anyCase = false) {
    this.add(marks, anyCase)
  }

  get empty(): boolean {
    return this.#list.length === 0
  }

  /** The marks of both sets. Cached. */
  join(other: Marks | undefined): Marks {
    if (!other || other.empty) return this
    let joined = this.#joined.get(other)
    if (!joined) {
      joined = new Marks()
      joined.#trees = [...new Set([...this.#trees, ...other.#trees])]
      joined.#list = [...this.#list, ...other.#list]
      for (let i = 0; i < 256; i++) joined.first[i] = this.first[i]! | other.first[i]!
      this.#joined.set(other, joined)
    }
    return joined
  }

  /** These marks, each with and without `prefix` before it. Cached. */
  withPrefix(prefix: string): Marks {
    if (prefix === '') return this
    let made = this.#prefixed.get(prefix)
    if (!made) {
      made = new Marks()
      for (const { mark, anyCase } of this.#list) made.add([prefix + mark, mark], anyCase)
      this.#prefixed.set(prefix, made)
    }
    return made
  }

  add(marks: Iterable<string>, anyCase = false, of = 0): void {
    for (const mark of marks) {
      if (mark === '') continue
      let node = this.#trees[0]!
      for (let i = 0; i < mark.length; i++) {
        const code = lower(mark.charCodeAt(i))
        let next = after(node, code)
        if (!next) {
          // A list that grows by `push` has room for many more, and there are many nodes.
          node.codes = node.codes.concat([code])
          node.next = node.next.concat([(next = newNode())])
        }
        node = next
      }
      const one = { mark, anyCase, of }
      node.ends = node.ends.concat([one])
      this.#list.push(one)
      for (const start of anyCase ? [mark.toLowerCase(), mark.toUpperCase()] : [mark]) {
        this.first[start.charCodeAt(0) & 255] = 1
      }
    }
  }

  /** The length of the shortest mark at `at`; 0: there is none. */
  lengthAt(text: string, at: number, end: number): number {
    const lengths = this.#trees.map((tree) => walk(tree, text, at, end)).filter((size) => size > 0)
    return lengths.length > 0 ? Math.min(...lengths) : 0
  }

  /** The best match of any mark at `at`, in text that ends at `end`. */
  match(text: string, at: number, end: number): Match {
    let best: Match = 'none'
    for (const tree of this.#trees) {
      const size = walk(tree, text, at, end)
      if (size > 0) return 'all'
      if (size < 0) best = 'part'
    }
    return best
  }

  /** The numbers of all blocks that begin at `at`, in order. Undefined: it takes more text to tell. */
  numbersAt(text: string, at: number, end: number, ended: boolean): number[] | undefined {
    const found = new Set<number>()
    let node = this.#trees[0]
    for (let i = at; node; i++) {
      for (const mark of node.ends) if (stands(mark, text, at)) found.add(mark.of)
      if (i >= end && !ended && node.next.length > 0) return undefined
      node = i < end ? after(node, lower(text.charCodeAt(i))) : undefined
    }
    return [...found].sort((a, b) => a - b)
  }
}

function newNode(): Node {
  return { codes: NONE, next: NONE, ends: NONE }
}

const NONE: readonly never[] = []

function after({ codes, next }: Node, code: number): Node | undefined {
  const found = codes.indexOf(code)
  return found < 0 ? undefined : next[found]
}

/** The length of the shortest mark of a tree at `at`; 0: there is none; -1: the text ends inside one. */
function walk(tree: Node, text: string, at: number, end: number): number {
  let node: Node | undefined = tree
  for (let i = at; i < end; i++) {
    node = after(node, lower(text.charCodeAt(i)))
    if (!node) return 0
    for (const mark of node.ends) if (stands(mark, text, at)) return mark.mark.length
  }
  return -1
}

/** Whether a mark that was found ignoring case is really there. */
function stands({ mark, anyCase }: Mark, text: string, at: number): boolean {
  return anyCase || compare(text, at, text.length, mark) === 'all'
}

export const NO_MARKS: Marks = new Marks()

/** Where a line ends. */
export const LINE_END: Marks = new Marks(['\n'])

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
