import { type Place, Problems, quoted } from './problems.ts'
import { escapeAt } from './escapes.ts'

/**
 * One token of a file. A template is `` ` ``, then chunks with `${` … `}` between them, then `` `
 * ``.
 */
export interface Token extends Place {
  readonly kind: 'name' | 'text' | 'number' | 'regex' | 'mark' | 'chunk' | 'end'
  /** The text of a mark or name, or the value of a string or chunk. */
  readonly value: string
  /** True for the first token of a line without indentation. */
  readonly atLineStart: boolean
  /** True if a line break precedes the token. */
  readonly isAfterLine: boolean
}

/**
 * The tokens of a text, read in one pass. The last token is `end`. Invalid characters are reported
 * and skipped.
 */
export function tokensOf(text: string, problems: Problems): Token[] {
  return new Lexer(text, problems).all()
}

/** The longest first. */
const MARKS = [
  ...['...', '===', '!==', '**', '=>', '??', '?.', '&&', '||', '<=', '>=', '++', '--'],
  ...'( ) [ ] { } < > , ; : . = + - * ? ! | & % ^ ~ @ #'.split(' '),
]
const NAME = /[\p{ID_Start}_$][\p{ID_Continue}$\u200c\u200d]*/uy
const NUMBER = /(?:0|[1-9](?:_?\d)*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const SPACE = /[\s\ufeff]+/y
const LINE = /[^\n\r\u2028\u2029]*/y
const LINE_END = /[\n\r\u2028\u2029]/

class Lexer {
  readonly #text: string
  readonly #problems: Problems
  readonly #tokens: Token[] = []
  /** The kind of each open brace: part of the code, or the beginning of a hole in a template. */
  readonly #braces: ('{' | '${')[] = []
  #at = 0
  /** The offset up to which no regular expression ends. */
  #withoutRegex = 0
  #isAfterLine = false

  constructor(text: string, problems: Problems) {
    this.#text = text
    this.#problems = problems
  }

  all(): Token[] {
    const text = this.#text
    while (this.#at < text.length) this.#next()
    this.#add('end', '', text.length)
    return this.#tokens
  }

  #next(): void {
    const text = this.#text
    const at = this.#at
    const space = this.#match(SPACE)
    if (space !== undefined) return this.#skipped(space)
    if (text.startsWith('//', at)) return void this.#match(LINE)
    if (text.startsWith('/*', at)) return this.#comment()
    const first = text[at]!
    if (first === "'" || first === '"') return this.#string(first)
    if (first === '`') return this.#open(at)
    if (first === '/') return this.#regex()
    const name = this.#match(NAME)
    if (name !== undefined) return this.#add('name', name, at)
    const number = this.#match(NUMBER)
    if (number !== undefined) return this.#number(number, at)
    const mark = MARKS.find((each) => text.startsWith(each, at))
    this.#at += mark?.length ?? (text.codePointAt(at)! > 0xffff ? 2 : 1)
    if (mark === undefined) {
      const what = quoted(text.slice(at, this.#at))
      return this.#problems.add(`Unexpected ${what}.`, { from: at, to: this.#at })
    }
    this.#add('mark', mark, at)
    if (mark === '{') this.#braces.push('{')
    else if (mark === '}' && this.#braces.pop() === '${') this.#chunk()
  }

  /**
   * JavaScript reads a dot right after a number as part of the number: `1.a` is not a member of 1.
   */
  #number(number: string, from: number): void {
    this.#add('number', number, from)
    const to = this.#at + 1
    if (this.#text[this.#at] === '.')
      this.#problems.add(`Unexpected ${quoted(`${number}.`)}.`, { from, to })
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)?.[0]
    this.#at += found?.length ?? 0
    this.#problems.count(1 + (found?.length ?? 0))
    return found
  }

  #skipped(text: string): void {
    this.#isAfterLine ||= LINE_END.test(text)
  }

  #add(kind: Token['kind'], value: string, from: number): void {
    const atLineStart = from === 0 || this.#text[from - 1] === '\n' || this.#text[from - 1] === '\r'
    const isAfterLine = this.#isAfterLine
    this.#tokens.push({ kind, value, from, to: this.#at, atLineStart, isAfterLine })
    this.#isAfterLine = false
  }

  #comment(): void {
    const from = this.#at
    const end = this.#text.indexOf('*/', from + 2)
    if (end < 0) this.#problems.add('This comment is never closed.', { from, to: from + 2 })
    this.#at = end < 0 ? this.#text.length : end + 2
    this.#problems.count(this.#at - from)
    this.#skipped(this.#text.slice(from, this.#at))
  }

  #string(quote: string): void {
    const from = this.#at++
    const value = this.#content((at) => {
      const code = this.#text[at]
      return code === quote || code === '\n' || code === '\r'
    })
    if (this.#text[this.#at] === quote) this.#at++
    else this.#problems.add('This string is not closed on its line.', { from, to: this.#at })
    this.#add('text', value, from)
  }

  #open(at: number): void {
    this.#at++
    this.#add('mark', '`', at)
    this.#chunk()
  }

  /** A piece of a template, up to its end or to a hole. */
  #chunk(): void {
    const from = this.#at
    const text = this.#text
    const value = this.#content(
      (at) => text[at] === '`' || text.startsWith('${', at),
      (written) => written.replaceAll('\r\n', '\n').replaceAll('\r', '\n'),
    )
    this.#add('chunk', value, from)
    const end = this.#at
    if (end === text.length)
      return this.#problems.add('This template is never closed.', { from: from - 1, to: from })
    this.#at += text[end] === '`' ? 1 : 2
    this.#add('mark', text[end] === '`' ? '`' : '${', end)
    if (text[end] !== '`') this.#braces.push('${')
  }

  /**
   * Reads text up to where `ends` is true and resolves its escapes. `meaning` converts the text
   * between escapes.
   */
  #content(ends: (at: number) => boolean, meaning = (written: string): string => written): string {
    const pieces: string[] = []
    const start = this.#at
    let from = start
    while (this.#at < this.#text.length && !ends(this.#at)) {
      if (this.#text[this.#at] !== '\\') {
        this.#at++
        continue
      }
      const { value, to } = escapeAt(this.#text, this.#at)
      if (value === undefined) this.#problems.add('Unknown escape.', { from: this.#at, to })
      pieces.push(meaning(this.#text.slice(from, this.#at)), value ?? '')
      this.#at = to
      from = to
    }
    this.#problems.count(this.#at - start)
    pieces.push(meaning(this.#text.slice(from, this.#at)))
    return pieces.join('')
  }

  /** Reads a regular expression. Division does not exist here. */
  #regex(): void {
    const from = this.#at
    let inClass = false
    let at = Math.max(from + 1, this.#withoutRegex)
    for (; from >= this.#withoutRegex && at < this.#text.length; at++) {
      this.#problems.count(1)
      const code = this.#text[at]!
      if (LINE_END.test(code)) break
      if (code === '\\' && !LINE_END.test(this.#text[at + 1] ?? '')) at++
      else if (code === '[') inClass = true
      else if (code === ']') inClass = false
      else if (code === '/' && !inClass) {
        this.#at = at + 1
        this.#match(FLAGS)
        return this.#add('regex', this.#text.slice(from, this.#at), from)
      }
    }
    this.#withoutRegex = at
    this.#at = from + 1
    this.#problems.add('Unexpected `/`.', { from, to: this.#at })
  }
}

const FLAGS = /[a-z]*/y
