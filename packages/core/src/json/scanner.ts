import { isSpace } from '../read/readers.ts'
import {
  BACKSLASH,
  CLOSE,
  CLOSE_LIST,
  COLON,
  COMMA,
  OPEN,
  OPEN_LIST,
  QUOTE,
  SLASH,
} from './text.ts'

/** The expected next token. */
export type State =
  | 'value' // a member's value
  | 'first-item' // after `[`
  | 'item' // after a comma in a list
  | 'first-key' // after `{`
  | 'key' // after a comma in an object
  | 'colon'
  | 'after' // after a value: a comma or a closer
  | 'string'
  | 'key-string'
  | 'escape'
  | 'word' // a number, true, false, null
  | 'done'

/** The maximum depth of a value. Other code could not store, compare or print a deeper one. */
export const MAX_DEPTH = 256

/**
 * A strict reader for JSON objects that arrive in pieces; whitespace between tokens is dropped. One
 * long file, because it is one state machine whose states must agree on which text to output, and
 * when.
 *
 * The scanner stops (`why`) at each key of the objects down to depth `watch`, so that the caller
 * can set the `sink` for the value; at the end; and where the text is not JSON. In that case a
 * repair may change the scanner's state to let it continue.
 *
 * Text from a string's closing quote or from a comma on is output only once the following text
 * confirms it: a quote closes a string only if another key, another item or the end comes after it.
 * Until then, this text is the `tail`:
 *
 *     {"a":"say "hi", ok","b":1}
 *               ^^^ stops at `h`: the quote was part of the string
 */
export class JsonScanner {
  why: 'more' | 'key' | 'done' | 'stop' = 'more'
  state: State = 'value'
  /**
   * Receives the text of the next value and, if it is already known to be a string, the string
   * itself.
   */
  sink: ((text: string, value?: string) => void) | undefined
  watch: number
  /** The key at which the scanner stopped. */
  key = ''
  /** The number of keys read, at any depth. */
  keys = 0
  /** The number or word being read. */
  word = ''
  /** The escape sequence being read. */
  escape = ''
  /** Unconfirmed text since a closing quote or a comma. */
  tail: string | undefined
  tooDeep = false
  /** True if the current string was repaired, so its end is uncertain. */
  loose = false
  /** Tests whether a key is plausible, once a quote turned out to be part of its string. */
  knows: ((key: string) => boolean) | undefined
  /** True if a line break followed the last value. */
  newline = false
  #stack: number[] = []
  #inKey = false
  /** The state before the current word. */
  #before: State = 'value'
  #keyText = ''
  #out = ''
  /** The depth of the value being output, or -1 if there is none. */
  #outDepth = -1
  /** The string being output, if it was parsed in one step. */
  #parsed: string | undefined
  /** True if the tail began with a quote. Stored, because searching a growing text is slow. */
  #quoted = false
  /**
   * The length of the tail's part that belongs to the value being output, if that value ended
   * inside the tail.
   */
  #tailValue = -1
  #closed: number[] | undefined
  #keysBefore = 0
  #reopened = false

  constructor(watch = 1) {
    this.watch = watch
  }

  get depth(): number {
    return this.#stack.length
  }

  /** True if a value is allowed here. */
  get wantsValue(): boolean {
    return this.state === 'value' || this.state === 'item' || this.state === 'first-item'
  }

  /** True if a key is allowed here. */
  get wantsKey(): boolean {
    return this.state === 'key' || this.state === 'first-key'
  }

  /** True if the text ended after a value at this depth or above. */
  afterValue(depth: number): boolean {
    return this.why === 'more' && this.depth <= depth && AFTER_VALUE.has(this.state)
  }

  /** True if the tail began with the closing quote of a string. */
  get afterString(): boolean {
    return this.tail !== undefined && this.#quoted
  }

  /** Reads on from `at`, up to `end` at most. Returns the offset it reached. */
  scan(text: string, at: number, end: number): number {
    this.why = 'more'
    let i = at
    while (i < end && this.why === 'more') {
      switch (this.state) {
        case 'string':
        case 'key-string':
          i = this.#string(text, i, end)
          break
        case 'escape':
          i = this.#escape(text, i)
          break
        case 'word':
          i = this.#word(text, i, end)
          break
        default: {
          const code = text.charCodeAt(i)
          if (isSpace(code)) {
            if (code === 10) this.newline = true
            if (this.afterString) this.tail += text[i]!
            i++
          } else {
            const taken = this.#token(code)
            if (taken) i++
            else if (taken === false) this.why = 'stop'
          }
        }
      }
    }
    this.#flush()
    return i
  }

  /** Outputs text as part of the current value. */
  put(text: string): void {
    if (this.tail !== undefined) this.tail += text
    else if (this.#outDepth >= 0) this.#out += text
    if (this.state === 'key-string' && this.depth <= this.watch) this.#keyText += text
  }

  /**
   * Continues a string that the last quote did not close. Returns the quote and the text after it,
   * which are content.
   */
  reopen(): string {
    const content = this.tail!
    this.tail = undefined
    this.#tailValue = -1
    this.#parsed = undefined
    this.keys = this.#keysBefore
    if (this.#closed) this.#stack.push(...this.#closed.reverse())
    this.#closed = undefined
    this.#reopened = true
    this.loose = true
    this.#inKey = false
    this.state = 'string'
    this.put(asContent(content))
    return content
  }

  /** Removes the last comma, which was superfluous. */
  dropComma(): void {
    const tail = this.tail!
    const before = tail.slice(0, tail.lastIndexOf(','))
    this.tail = before === '' ? undefined : before
    this.state = 'after'
  }

  /** Adds the missing closing brackets and returns them. */
  closeAll(): string {
    let added = ''
    while (this.depth > 0) {
      const code = this.#stack.at(-1)! + TO_CLOSE
      added += String.fromCharCode(code)
      this.#close(code)
    }
    return added
  }

  /** Handles a comma that was read, or adds a missing one. */
  comma(): void {
    this.#startTail(',')
    this.state = this.#stack.at(-1) === OPEN ? 'key' : 'item'
  }

  /** Outputs a whole value as JSON. */
  value(json: string): void {
    this.word = ''
    this.confirm()
    this.#begin()
    this.put(json)
    this.#endValue()
  }

  /** Outputs a whole key. The colon follows later. */
  nameKey(key: string): void {
    this.keys++
    const json = JSON.stringify(key)
    this.put(json)
    this.#keyText = json.slice(1, -1)
    this.state = 'colon'
  }

  /** Outputs the tail, which the following text has confirmed. */
  confirm(): void {
    const { tail } = this
    if (tail === undefined) return
    this.tail = undefined
    this.#closed = undefined
    this.#reopened = false
    this.loose = false
    if (this.#outDepth < 0) return
    if (this.#tailValue < 0) this.#out += tail
    else {
      this.#out += tail.slice(0, this.#tailValue)
      this.#finish()
    }
  }

  /**
   * Reads one token outside strings. False if it is not allowed here; undefined if a word begins.
   */
  #token(code: number): boolean | undefined {
    if (this.wantsValue) return this.#startValue(code)
    if (this.wantsKey) return this.#startKey(code)
    if (this.state === 'colon') return code === COLON && this.#endKey()
    if (this.state !== 'after') return false
    if (code !== COMMA) return this.#close(code)
    this.comma()
    return true
  }

  #startValue(code: number): boolean | undefined {
    if (code === CLOSE_LIST && this.state === 'first-item') return this.#close(code)
    if (code === QUOTE) {
      this.#begin()
      this.put('"')
      this.#inKey = false
      this.state = 'string'
      return true
    }
    if (code === OPEN || code === OPEN_LIST) {
      if (this.depth >= MAX_DEPTH) {
        this.tooDeep = true
        return false
      }
      this.#begin()
      this.put(String.fromCharCode(code))
      this.#stack.push(code)
      this.state = code === OPEN ? 'first-key' : 'first-item'
      return true
    }
    if (!isWord(code) || code === SLASH) return false
    this.word = ''
    this.#before = this.state
    this.state = 'word'
    return undefined
  }

  #begin(): void {
    this.confirm()
    this.newline = false
    if (this.sink && this.#outDepth < 0) this.#outDepth = this.depth
  }

  #startKey(code: number): boolean {
    if (code === CLOSE && this.state === 'first-key') return this.#close(code)
    if (code !== QUOTE) return false
    this.put('"')
    this.#keyText = ''
    this.#inKey = true
    this.state = 'key-string'
    return true
  }

  #endKey(): boolean {
    const watched = this.depth <= this.watch
    if (watched) {
      const text = this.#keyText
      this.key = text.includes('\\') ? (JSON.parse(`"${text}"`) as string) : text
      if (this.#reopened && this.knows && !this.knows(this.key)) return false
    }
    this.confirm()
    this.state = 'value'
    if (watched) this.why = 'key'
    else this.put(':')
    return true
  }

  #close(code: number): boolean {
    const open = this.#stack.at(-1)
    if (open !== code - TO_CLOSE) return false
    this.#stack.pop()
    if (this.tail !== undefined) (this.#closed ??= []).push(open)
    this.put(String.fromCharCode(code))
    this.#endValue()
    return true
  }

  #endValue(): void {
    this.state = 'after'
    if (this.#outDepth === this.depth) {
      if (this.tail === undefined) this.#finish()
      else if (this.#tailValue < 0) this.#tailValue = this.tail.length
    }
    if (this.depth > 0) return
    this.confirm()
    this.state = this.why = 'done'
  }

  #startTail(text: string): void {
    if (this.tail === undefined) {
      this.tail = text
      this.#quoted = text === '"'
      this.#tailValue = -1
      this.#closed = undefined
      this.#keysBefore = this.keys
    } else this.tail += text
  }

  #finish(): void {
    this.#flush(this.#parsed)
    this.sink = undefined
    this.#outDepth = -1
    this.#tailValue = -1
  }

  #flush(value?: string): void {
    const out = this.#out
    this.#out = ''
    this.#parsed = undefined
    if (out !== '') this.sink?.(out, value)
  }

  /**
   * The end of a long valid string that is complete in this chunk; otherwise its start. Uses native
   * code, which is faster.
   */
  #longString(text: string, at: number, end: number): number {
    if (end - at < LONG || this.#out !== '"' || this.#outDepth !== this.depth) return at
    let to = text.indexOf('"', at)
    while (to > at && isEscaped(text, to)) to = text.indexOf('"', to + 1)
    if (to - at < LONG || to >= end) return at
    try {
      this.#parsed = JSON.parse(text.slice(at - 1, to + 1)) as string
      return to
    } catch {
      return at
    }
  }

  #string(text: string, at: number, end: number): number {
    let i = this.#longString(text, at, end)
    let code = 0
    for (; i < end; i++) {
      code = text.charCodeAt(i)
      if (code > BACKSLASH) continue
      if (code === QUOTE || code < 32) break
      if (code !== BACKSLASH) continue
      // Stop only at a long, invalid or incomplete escape. A valid escape of two characters is
      // skipped.
      const next = i + 1 < end ? text.charCodeAt(i + 1) : 0
      if (next > 127 || SHORT_ESCAPES[next] === 0) break
      i++
    }
    if (i > at) this.put(text.slice(at, i))
    if (i >= end) return i
    if (code === QUOTE) this.#endString()
    else if (code === BACKSLASH) {
      this.escape = '\\'
      this.state = 'escape'
    } else {
      this.why = 'stop'
      return i
    }
    return i + 1
  }

  #endString(): void {
    if (this.#inKey) {
      this.keys++
      this.state = 'colon'
      this.put('"')
      return
    }
    this.#startTail('"')
    this.#endValue()
  }

  /** Collects an escape, which may be split between chunks. */
  #escape(text: string, i: number): number {
    const escape = this.escape + text[i]!
    if (!ESCAPE.test(escape)) {
      this.why = 'stop'
      return i
    }
    this.escape = escape
    if (escape[1] !== 'u' || escape.length === 6) this.endEscape(escape)
    return i + 1
  }

  /** Continues the string, with this text in place of the escape. */
  endEscape(json: string): void {
    this.state = this.#inKey ? 'key-string' : 'string'
    this.escape = ''
    this.put(json)
  }

  #word(text: string, at: number, end: number): number {
    let i = at
    while (i < end && isWord(text.charCodeAt(i))) i++
    this.word += text.slice(at, i)
    if (i >= end) return i
    if (JSON_NUMBER.test(this.word) || LITERALS.has(this.word)) this.value(this.word)
    else {
      this.state = this.#before
      this.why = 'stop'
    }
    return i
  }
}

/** The minimum length of a string to parse in one step. */
const LONG = 256

/** True if an odd number of backslashes precedes the character. */
function isEscaped(text: string, at: number): boolean {
  let from = at
  while (text.charCodeAt(from - 1) === BACKSLASH) from--
  return (at - from) % 2 === 1
}

/** The difference between the codes of an opening and its closing bracket. */
const TO_CLOSE = CLOSE - OPEN

/** The states after a value. */
const AFTER_VALUE: ReadonlySet<State> = new Set(['after', 'key', 'key-string', 'colon'])

/** A JSON number. Linear: anchored, with each part used once. */
export const JSON_NUMBER: RegExp = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/
const LITERALS = new Set(['true', 'false', 'null'])

/**
 * True for any character that does not end a word, which whitespace, quotes, brackets, commas and
 * colons do.
 */
export function isWord(code: number): boolean {
  return code > 32 && code !== 0xfeff && !NO_WORD.has(code)
}

const NO_WORD = new Set('"\'`<,:{}[]'.split('').map((char) => char.charCodeAt(0)))

/** The characters that may follow a backslash, except the `u` of a longer escape. */
const SHORT_ESCAPES = new Uint8Array(128)
for (const char of '"\\/bfnrt') SHORT_ESCAPES[char.charCodeAt(0)] = 1

/** An escape, or the beginning of a longer one. */
const ESCAPE = /^\\(?:["\\/bfnrt]|u[0-9a-fA-F]{0,4})$/

/**
 * Converts text that was read as JSON to the content of a string: escapes are kept, quotes and
 * control characters are escaped.
 */
function asContent(text: string): string {
  let out = ''
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === BACKSLASH) out += text.slice(i, ++i + 1)
    else out += code === QUOTE || code < 32 ? JSON.stringify(text[i]).slice(1, -1) : text[i]!
  }
  return out
}
