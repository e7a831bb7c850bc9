import { Misread, type Place, type Problems, quoted } from './problems.ts'
import type { Token } from './tokens.ts'

/** A position in a list of tokens, up to which they have been read. */
export class Cursor {
  readonly #tokens: readonly Token[]
  readonly #problems: Problems
  /** For each opening bracket, the index of its closing bracket. */
  readonly #partners: ReadonlyMap<number, number>
  #at = 0
  #depth = 0

  constructor(tokens: readonly Token[], problems: Problems) {
    this.#tokens = tokens
    this.#problems = problems
    this.#partners = partnersIn(tokens)
  }

  get token(): Token {
    return this.#tokens[this.#at]!
  }

  /** The end of the last token taken. */
  get end(): number {
    return this.#tokens[this.#at - 1]?.to ?? 0
  }

  get at(): number {
    return this.#at
  }

  set at(at: number) {
    this.#problems.count(1)
    this.#at = Math.min(at, this.#tokens.length - 1)
  }

  take(): Token {
    const { token } = this
    this.at++
    return token
  }

  /** The next token, or the one `count` places ahead. */
  ahead(count = 1): Token {
    return this.#tokens[Math.min(this.#at + count, this.#tokens.length - 1)]!
  }

  is(value: string, kind: Token['kind'] = 'mark'): boolean {
    return this.token.kind === kind && this.token.value === value
  }

  isWord(value: string): boolean {
    return this.is(value, 'name')
  }

  /** Takes a mark if it is next. Returns true if it was. */
  eat(value: string): boolean {
    const found = this.is(value)
    if (found) this.at++
    return found
  }

  eatWord(value: string): boolean {
    const found = this.isWord(value)
    if (found) this.at++
    return found
  }

  /** Takes a mark. Throws if it is not next. */
  need(value: string): Token {
    if (!this.is(value)) throw this.unexpected(quoted(value))
    return this.take()
  }

  needName(): Token {
    if (this.token.kind !== 'name') throw this.unexpected('a name')
    return this.take()
  }

  /** Takes the name of a new declaration. Throws if it is reserved. */
  needNewName(): Token {
    const { kind, value } = this.token
    if (kind === 'name' && RESERVED.has(value)) throw this.unexpected('a name')
    return this.needName()
  }

  /** Takes the end of a statement: a semicolon, a new line, or the end of the surrounding block. */
  endStatement(): void {
    if (this.eat(';') || this.token.isAfterLine || this.token.kind === 'end' || this.is('}')) return
    throw this.unexpected('`;` or a new line')
  }

  /** An error for the next token, which is not allowed here. */
  unexpected(expected: string): Misread {
    const { kind, value, from, to } = this.token
    const found = kind === 'end' ? 'the text ends' : `${what(kind, value)} is here`
    return new Misread(`Expected ${expected}, but ${found}.`, { from, to })
  }

  /**
   * The index of the bracket that closes the next opening bracket, or undefined if it is never
   * closed.
   */
  closer(): number | undefined {
    return this.#partners.get(this.#at)
  }

  /** Reads something that may nest, up to a maximum depth. */
  nested<T>(place: Place, work: () => T): T {
    if (this.#depth >= MAX_NESTING)
      throw new Misread(`This is nested more than ${MAX_NESTING} levels deep.`, place)
    this.#depth++
    try {
      return work()
    } finally {
      this.#depth--
    }
  }

  /** Skips the rest of an unreadable statement, up to a line that begins a statement. */
  skipStatement(start: number): void {
    if (this.#at === start) this.at++
    while (this.token.kind !== 'end' && !(this.token.atLineStart && beginsStatement(this.token)))
      this.at++
  }
}

/** Reserved words, which are not allowed as names in a module. */
const RESERVED = new Set(
  [
    'arguments await break case catch class const continue debugger default delete do else enum eval',
    'export extends false finally for function if implements import in instanceof interface let new',
    'null package private protected public return static super switch this throw true try typeof',
    'undefined var void while with yield',
  ].flatMap((line) => line.split(' ')),
)

/** The maximum nesting of brackets, calls and functions. */
export const MAX_NESTING = 64

function what(kind: Token['kind'], value: string): string {
  if (kind === 'text' || kind === 'chunk') return 'a string'
  return kind === 'regex' ? 'a regular expression' : quoted(value)
}

function beginsStatement({ kind, value }: Token): boolean {
  return (
    kind === 'name' &&
    ['import', 'export', 'const', 'function', 'type', 'interface'].includes(value)
  )
}

function partnersIn(tokens: readonly Token[]): Map<number, number> {
  const partners = new Map<number, number>()
  const open: number[] = []
  tokens.forEach(({ kind, value }, at) => {
    if (kind !== 'mark') return
    if (['(', '[', '{', '${'].includes(value)) open.push(at)
    else if ([')', ']', '}'].includes(value)) {
      const opener = open.pop()
      if (opener !== undefined) partners.set(opener, at)
    }
  })
  return partners
}
