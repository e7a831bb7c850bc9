/** How much of a mark stands at a place: all of it, a part cut off by the end of the text, or another thing. */
export type Match = 'all' | 'part' | 'none'

/** A node of the tree of marks: what may come next, and whether a mark ends here. */
interface Node {
  codes: number[]
  next: Node[]
  ends: boolean
}

/** Marks to look for, compiled once: a table of first characters, then a tree; joined ones keep their trees. */
export class Marks {
  /** By the low byte of a character: 1 if some mark begins with such a one. */
  readonly first: Uint8Array = new Uint8Array(256)
  #trees: Node[] = [{ codes: [], next: [], ends: false }]
  #list: [mark: string, anyCase: boolean][] = []
  readonly #joined = new WeakMap<Marks, Marks>()
  readonly #behind = new Map<string, Marks>()

  constructor(marks: Iterable<string> = [], anyCase = false) {
    this.add(marks, anyCase)
  }

  get empty(): boolean {
    return this.#list.length === 0
  }

  /** These and those. */
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

  /** These, and the same with `before` in front. */
  behind(before: string): Marks {
    if (before === '') return this
    let made = this.#behind.get(before)
    if (!made) {
      made = new Marks()
      for (const [mark, anyCase] of this.#list) made.add([before + mark, mark], anyCase)
      this.#behind.set(before, made)
    }
    return made
  }

  add(marks: Iterable<string>, anyCase = false): void {
    for (const mark of marks) {
      if (mark === '') continue
      this.#list.push([mark, anyCase])
      let nodes = [this.#trees[0]!]
      for (let i = 0; i < mark.length; i++) {
        const codes = anyCase ? cases(mark.charCodeAt(i)) : [mark.charCodeAt(i)]
        if (i === 0) for (const code of codes) this.first[code & 255] = 1
        nodes = nodes.flatMap((node) => children(node, codes))
      }
      for (const node of nodes) node.ends = true
    }
  }

  /** How long the shortest mark at `at` is; 0: there is none. */
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
}

/** How long the shortest mark of a tree at `at` is; 0: there is none; -1: the text ends inside one. */
function walk(tree: Node, text: string, at: number, end: number): number {
  let node = tree
  for (let i = at; i < end; i++) {
    const found = node.codes.indexOf(text.charCodeAt(i))
    if (found < 0) return 0
    node = node.next[found]!
    if (node.ends) return i + 1 - at
  }
  return -1
}

/** Where a line ends. */
export const LINE_END: Marks = new Marks(['\n'])

/** How much of one mark stands at `at`, in text that ends at `end`. */
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

/**
 * The nodes that follow under any of `codes`; where there is none yet, one for all of them. A mark of one case may so
 * be found in another: that only makes a reader look closer.
 */
function children(node: Node, codes: readonly number[]): Node[] {
  const found = codes.map((code) => node.next[node.codes.indexOf(code)])
  const known = [...new Set(found.filter((next) => next !== undefined))]
  if (known.length === 0) known.push({ codes: [], next: [], ends: false })
  codes.forEach((code, i) => {
    if (found[i]) return
    node.codes.push(code)
    node.next.push(known[0]!)
  })
  return known
}

/** ASCII letters only: other scripts' case rules change lengths. */
function cases(code: number): number[] {
  const small = lower(code)
  return small >= 97 && small <= 122 ? [small, small - 32] : [code]
}

/** The small letter of an ASCII letter. */
export function lower(code: number): number {
  return code >= 65 && code <= 90 ? code + 32 : code
}
