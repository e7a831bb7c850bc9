/**
 * A pattern of names in order, such as the folders of a path: each is text to the letter, a list of marks, or DEEP.
 * It is walked with all the places it may stand at, so time is at worst the pattern's length times the text's.
 */
export type Glob = readonly Name[]

export type Name = string | readonly Mark[] | typeof DEEP

/** One character to the letter, any one, any number of them, or one of a class. */
export type Mark = string | typeof ONE | typeof MANY | CharacterClass

/** `[a-z]`, or `[!a-z]`: code points from and to. */
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
 * How names lie to a pattern: they are what it says (`whole`), lie inside something that is (`inside`), could have
 * something in them that is (`above`), or none of it.
 */
export type Lie = 'whole' | 'inside' | 'above' | 'apart'

/** Counts the comparisons made, for those who want to know. */
export interface Steps {
  count: number
}

/** How these names lie to a pattern. */
export function lieOf(glob: Glob, names: readonly string[], steps?: Steps): Lie {
  let places = skipDeep(glob, [0])
  let inside = false
  for (const name of names) {
    if (places.at(-1) === glob.length) inside = true
    const next: number[] = []
    for (const place of places) {
      const expected = glob[place]
      if (expected === undefined) continue
      if (steps) steps.count++
      if (expected === DEEP) add(next, place)
      else if (isName(expected, name, steps)) add(next, place + 1)
    }
    places = skipDeep(glob, next)
    if (places.length === 0) return inside ? 'inside' : 'apart'
  }
  if (places.at(-1) === glob.length) return 'whole'
  return inside ? 'inside' : 'above'
}

/** What comes after DEEP may come at once. Places stay in order, each once. */
function skipDeep(glob: Glob, places: readonly number[]): number[] {
  const all: number[] = []
  for (const place of places) {
    let at = place
    add(all, at)
    while (glob[at] === DEEP) add(all, ++at)
  }
  return all
}

function add(places: number[], place: number): void {
  if ((places.at(-1) ?? -1) < place) places.push(place)
}

/** Whether one name is what a pattern says. The last `*` alone is tried again, so every pair is compared once a `*`. */
function isName(expected: string | readonly Mark[], name: string, steps?: Steps): boolean {
  if (typeof expected === 'string') return expected === name
  const letters = [...name]
  let at = 0
  let mark = 0
  let star = -1
  let tried = 0
  while (at < letters.length) {
    if (steps) steps.count++
    const expects = expected[mark]
    if (expects === MANY) {
      star = mark++
      tried = at
    } else if (expects !== undefined && isLetter(expects, letters[at]!)) {
      at++
      mark++
    } else if (star >= 0) {
      mark = star + 1
      at = ++tried
    } else return false
  }
  while (expected[mark] === MANY) mark++
  return mark === expected.length
}

function isLetter(mark: string | typeof ONE | CharacterClass, letter: string): boolean {
  if (mark === ONE || mark === letter) return true
  if (typeof mark === 'string') return false
  const code = letter.codePointAt(0)!
  return mark.ranges.some(([from, to]) => from <= code && code <= to) !== mark.not
}
