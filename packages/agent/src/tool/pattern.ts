import { UnusableSchema } from './schema-document.ts'

/**
 * A regular expression of a JSON Schema, matched in linear time. Each node is tried at most once at
 * each position of the text, so no pattern can take exponential time. `spend` counts the work.
 */
export interface Pattern {
  /** The number of its nodes. */
  readonly size: number
  test(text: string, spend: (steps: number) => void): boolean
}

/** One position in a pattern. */
interface Node {
  readonly id: number
  /** Matches and consumes a character. */
  readonly takes?: (character: string) => boolean
  /** Matches at a position without consuming characters. */
  readonly holds?: (characters: readonly string[], at: number, spend: Spend) => boolean
  readonly isEnd?: true
  next: readonly Node[]
}

type Spend = (steps: number) => void
/** Adds a part of a pattern in front of its continuation. */
type Part = (next: Node) => Node

const MAX_LENGTH = 2000
const MAX_NODES = 2000
const MAX_GROUPS = 50
/** The maximum number of nodes multiplied by characters. */
const MAX_STATES = 1 << 20
/** Trying a node takes only a fraction of the time for checking a value. */
const STATES_PER_STEP = 8

/**
 * Compiles a pattern. Throws an UnusableSchema if it is not a regular expression or cannot be
 * matched in linear time.
 */
export function compilePattern(source: string): Pattern {
  const shown = JSON.stringify(source.length > 80 ? `${source.slice(0, 80)}…` : source)
  if (source.length > MAX_LENGTH)
    throw new UnusableSchema(`has a pattern of more than ${MAX_LENGTH} characters: ${shown}`)
  if (!isRegExp(source))
    throw new UnusableSchema(`has a pattern that is not a regular expression: ${shown}`)
  const parser = new Parser(source, shown)
  const start = parser.parse()
  return {
    size: parser.count,
    test(text, spend) {
      // oxlint-disable-next-line typescript/no-misused-spread -- Patterns match characters, not halves of them.
      const characters = [...text]
      if (parser.count * (characters.length + 1) > MAX_STATES)
        throw new UnusableSchema(
          `needs too much work to match a long text with the pattern ${shown}`,
        )
      const tried = new Uint8Array(parser.count * (characters.length + 1))
      for (let at = 0; at <= characters.length; at++)
        if (matches(start, characters, at, tried, spend)) return true
      return false
    },
  }
}

/**
 * True if the pattern matches at a position. `tried` contains the nodes that did not match at
 * certain positions.
 */
function matches(
  start: Node,
  characters: readonly string[],
  from: number,
  tried: Uint8Array,
  spend: Spend,
): boolean {
  const width = characters.length + 1
  const pending: [Node, number][] = [[start, from]]
  for (let states = 1; ; states++) {
    const last = pending.pop()
    if (states % STATES_PER_STEP === 0) spend(1)
    if (!last) return false
    const [node, at] = last
    if (node.isEnd) return true
    const state = node.id * width + at
    if (tried[state]) continue
    tried[state] = 1
    if (node.holds && !node.holds(characters, at, spend)) continue
    if (node.takes && !(at < characters.length && node.takes(characters[at]!))) continue
    for (const next of node.next) pending.push([next, node.takes ? at + 1 : at])
  }
}

function isRegExp(source: string): boolean {
  return ['u', ''].some((flags) => {
    try {
      new RegExp(source, flags)
      return true
    } catch {
      return false
    }
  })
}

class Parser {
  readonly #source: string
  readonly #shown: string
  #at = 0
  #groups = 0
  /** The number of nodes. */
  count = 0

  constructor(source: string, shown: string) {
    this.#source = source
    this.#shown = shown
  }

  parse(): Node {
    const part = this.#alternatives()
    return part(this.#node({ isEnd: true }))
  }

  #node(node: Partial<Node>): Node {
    if (this.count >= MAX_NODES)
      throw this.#unusable('is too long when its repetitions are written out')
    return { next: [], ...node, id: this.count++ }
  }

  #unusable(why: string): UnusableSchema {
    return new UnusableSchema(`has a pattern that ${why}: ${this.#shown}`)
  }

  /** Consumes the match of a sticky expression. */
  #take(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = this.#at
    const found = expression.exec(this.#source)
    if (found) this.#at = expression.lastIndex
    return found ?? undefined
  }

  #alternatives(): Part {
    if (++this.#groups > MAX_GROUPS) throw this.#unusable('has too many groups inside each other')
    const parts = [this.#sequence()]
    while (this.#take(/\|/y)) parts.push(this.#sequence())
    this.#groups--
    const [only, other] = parts
    if (!other) return only!
    return (next) => this.#node({ next: parts.map((part) => part(next)) })
  }

  #sequence(): Part {
    const parts: Part[] = []
    while (this.#at < this.#source.length && !/[|)]/.test(this.#source[this.#at]!))
      parts.push(this.#repeated(this.#atom()))
    return (next) => parts.reduceRight((after, part) => part(after), next)
  }

  #repeated(part: Part): Part {
    const found = this.#take(/(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/y)
    if (!found) return part
    const [, sign, from, comma, to] = found
    const least = sign === '+' ? 1 : Number(from ?? 0)
    const most = sign === '?' ? 1 : comma === '' ? least : to ? Number(to) : Infinity
    return (next) => {
      let node = next
      if (most === Infinity) {
        const loop = this.#node({})
        loop.next = [part(loop), next]
        node = loop
      } else {
        for (let at = least; at < most; at++) node = this.#node({ next: [part(node), next] })
      }
      // A node for each repetition, so that their number counts even if the repeated part is empty.
      for (let at = 0; at < least; at++) node = this.#node({ next: [part(node)] })
      return node
    }
  }

  #atom(): Part {
    const group = this.#take(/\((\?(?:[:=!]|<[=!]|<[^>]*>|[^)]*:))?/y)
    if (group) return this.#group(group[1] ?? '')
    const edge = this.#take(/\^|\$|\\[bB]/y)?.[0]
    if (edge !== undefined) return (next) => this.#node({ holds: EDGES[edge]!, next: [next] })
    if (this.#take(/\\(?:[1-9]|k<)/y))
      throw this.#unusable('refers to an earlier group, which can take too long')
    const found = this.#take(ATOM)?.[0] ?? ''
    if (/^\\[a-z]$/i.test(found) && !/^\\[dDwWsStnrfv]$/.test(found))
      throw this.#unusable(`has ${found}, which is not in JavaScript`)
    const takes = characterTest(found)
    return (next) => this.#node({ takes, next: [next] })
  }

  #group(kind: string): Part {
    if (kind.startsWith('?<=') || kind.startsWith('?<!'))
      throw this.#unusable('looks behind, which can take too long')
    if (/^\?[^:=!<]/.test(kind)) throw this.#unusable('changes its flags')
    const part = this.#alternatives()
    this.#take(/\)/y)
    if (kind !== '?=' && kind !== '?!') return part
    return (next) => {
      const start = part(this.#node({ isEnd: true }))
      return this.#node({
        holds: (characters, at, spend) => {
          const tried = new Uint8Array(this.count * (characters.length + 1))
          spend(tried.length >> 10)
          return matches(start, characters, at, tried, spend) === (kind === '?=')
        },
        next: [next],
      })
    }
  }
}

/** A character class, an escape, or any other character. */
const ATOM =
  /\[(?:[^\]\\]|\\.)*\]|\\(?:u\{[0-9a-f]+\}|u[d][89ab][0-9a-f]{2}\\u[d][c-f][0-9a-f]{2}|u[0-9a-f]{4}|x[0-9a-f]{2}|c[a-z]|p\{[^}]*\}|.)|./isuy

/** A single character matches in only one way, so the native engine is safe. */
function characterTest(atom: string): (character: string) => boolean {
  if (!/^[[\\.]/.test(atom)) return (character) => character === atom
  const expression = oneCharacter(atom)
  return (character) => expression.test(character)
}

function oneCharacter(atom: string): RegExp {
  try {
    return new RegExp(`^(?:${atom})$`, 'u')
  } catch {
    // Many patterns violate the stricter syntax of Unicode mode.
    return new RegExp(`^(?:${atom})$`)
  }
}

type Edge = (characters: readonly string[], at: number) => boolean

const isWord = (character: string | undefined): boolean => /^\w$/.test(character ?? '')
const isBoundary: Edge = (characters, at) => isWord(characters[at - 1]) !== isWord(characters[at])
const EDGES: Readonly<Record<string, Edge>> = {
  '^': (_, at) => at === 0,
  $: (characters, at) => at === characters.length,
  '\\b': isBoundary,
  '\\B': (characters, at) => !isBoundary(characters, at),
}
