/**
 * A pattern of consecutive names, such as the parts of a path. Each part is literal text, a pattern
 * with wildcards, or DEEP. Matching tracks all possible positions simultaneously, so its cost is
 * limited to the product of the lengths of the pattern and the path.
 */
export type Glob = readonly Name[]

/** One part of a pattern. */
export type Name = string | MarkedName | typeof DEEP

/** A literal start and end, and the marks between. */
interface MarkedName {
  readonly head: string
  readonly marks: readonly Mark[]
  readonly tail: string
}

/** A literal character, any character, any number of characters, or one of a class. */
export type Mark = string | typeof ONE | typeof MANY | CharacterClass

/** `[a-z]`, or `[!a-z]`: ranges of code points. */
export interface CharacterClass {
  readonly not: boolean
  readonly ranges: readonly (readonly [number, number])[]
}

/** Any number of names, or none: `**`. */
export const DEEP: unique symbol = Symbol('**')
/** `?` */
export const ONE: unique symbol = Symbol('?')
/** `*` */
export const MANY: unique symbol = Symbol('*')

/**
 * The relation of a path to a pattern: it matches (`whole`), is inside something that matches
 * (`inside`), may contain something that matches (`above`), or none of these (`apart`).
 */
export type GlobRelation = 'whole' | 'inside' | 'above' | 'apart'

/** Counts the comparisons made, for tests. */
export interface Steps {
  count: number
}

/** Any one name: `*`. */
export const ANY_NAME: MarkedName = { head: '', marks: [MANY], tail: '' }

/** The relation of a path to a pattern. */
export function relationOf(glob: Glob, names: readonly string[], steps?: Steps): GlobRelation {
  let positions: number[] = []
  let next: number[] = []
  enter(glob, positions, 0)
  let inside = false
  for (const name of names) {
    if (positions.at(-1) === glob.length) inside = true
    next.length = 0
    for (const position of positions) {
      const expected = glob[position]
      if (expected === undefined) continue
      if (steps) steps.count++
      if (expected === DEEP) enter(glob, next, position)
      else if (isName(expected, name, steps)) enter(glob, next, position + 1)
    }
    if (next.length === 0) return inside ? 'inside' : 'apart'
    const last = positions
    positions = next
    next = last
  }
  if (positions.at(-1) === glob.length) return 'whole'
  return inside ? 'inside' : 'above'
}

/** Adds a position, and also the next one if it is at DEEP. Positions remain sorted and unique. */
function enter(glob: Glob, positions: number[], position: number): void {
  const last = positions.at(-1) ?? -1
  if (last < position) positions.push(position)
  if (glob[position] === DEEP && last <= position) enter(glob, positions, position + 1)
}

/**
 * True if a name matches. Only the last `*` is retried, so each pair of characters is compared once
 * per `*`.
 */
function isName(expected: string | MarkedName, name: string, steps?: Steps): boolean {
  if (typeof expected === 'string') return expected === name
  const { head, marks, tail } = expected
  const end = name.length - tail.length
  if (end < head.length || !name.startsWith(head) || !name.endsWith(tail)) return false
  let at = head.length
  let mark = 0
  let star = -1
  let tried = 0
  while (at < end) {
    if (steps) steps.count++
    const expects = marks[mark]
    const code = name.codePointAt(at)!
    if (expects === MANY) {
      if (mark === marks.length - 1) return true
      star = mark++
      tried = at
    } else if (expects !== undefined && isLetter(expects, code)) {
      at += lengthOf(code)
      mark++
    } else if (star >= 0) {
      mark = star + 1
      tried += lengthOf(name.codePointAt(tried)!)
      at = tried
    } else return false
  }
  while (marks[mark] === MANY) mark++
  return mark === marks.length
}

function lengthOf(code: number): number {
  return code > 0xffff ? 2 : 1
}

function isLetter(mark: string | typeof ONE | CharacterClass, code: number): boolean {
  if (mark === ONE) return true
  if (typeof mark === 'string') return mark.codePointAt(0) === code
  return mark.ranges.some(([from, to]) => from <= code && code <= to) !== mark.not
}

/**
 * A name as compared by the most lenient file system, which ignores case and Unicode composition.
 */
export function fold(text: string): string {
  return text.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC')
}

/** The pattern for folded names. */
export function foldGlob(glob: Glob): Glob {
  return glob.map(foldName)
}

function foldName(name: Name): Name {
  if (typeof name === 'symbol') return name
  if (typeof name === 'string') return fold(name)
  const { head, marks, tail } = name
  return { head: fold(head), marks: marks.flatMap(foldMark), tail: fold(tail) }
}

function foldMark(mark: Mark): Mark[] {
  if (typeof mark === 'symbol') return [mark]
  return typeof mark === 'string' ? Array.from(fold(mark)) : [foldClass(mark)]
}

/** Folds only ASCII letters, since a class is also compared with the original name. */
function foldClass({ not, ranges }: CharacterClass): CharacterClass {
  const lower = ranges.flatMap(([from, to]): [number, number][] => {
    const low = Math.max(from, 65)
    const high = Math.min(to, 90)
    return low <= high ? [[low + 32, high + 32]] : []
  })
  return { not, ranges: [...ranges, ...lower] }
}
