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

/** The scanner's expectation. */
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

/** A value nested deeper than this is refused: other code could not store, compare or print it. */
export const MAX_DEPTH = 256

/**
 * One long file because it is one state machine: all states must agree on which text is handed out, and when.
 *
 * Reads a JSON object strictly, as it arrives; whitespace between tokens is dropped.
 *
 * It stops (`why`) at each key of the objects down to depth `watch`, so that the caller can set where the value goes (`sink`);
 * at the end; and where the text is not JSON: there a repair may change its state and let it continue.
 *
 * Text from a string's closing quote or from a comma on is not handed out until what follows confirms it: a quote closes a
 * string only if another key, another item or the end comes after it. Until then it is the `tail`:
 *
 *     {"a":"say "hi", ok","b":1}
 *               ^^^ stops at `h`: the quote was part of the string
 */
export class JsonScanner {
  why: 'more' | 'key' | 'done' | 'stop' = 'more'
  state: State = 'value'
  /** Where the text of the next value goes; if it is known already that it is a string, what that string is. */
  sink: ((text: string, value?: string) => void) | undefined
  watch: number
  /** The key it stopped at. */
  key = ''
  /** How many keys have been read, at any depth. */
  keys = 0
  /** The number or word being read. */
  word = ''
  /** The escape sequence being read. */
  escape = ''
  /** Text since a closing quote or a comma that is not confirmed yet. */
  tail: string | undefined
  tooDeep = false
  /** The string being read was repaired: where it ends is not certain. */
  loose = false
  /** Whether this key is plausible: asked once a quote turned out to be part of its string. */
  knows: ((key: string) => boolean) | undefined
  /** Whether there was a line break since the last value. */
  newline = false
  #stack: number[] = []
  #inKey = false
  /** The expectation when a word began. */
  #before: State = 'value'
  #keyText = ''
  #out = ''
  /** The depth of the value being handed out; -1: none is. */
  #outDepth = -1
  /** The string being handed out, if it was parsed at once. */
  #parsed: string | undefined
  /** The tail began with a quote. Remembered: to look at a text that grows is slow. */
  #quoted = false
  /** How much of the tail belongs to the value being handed out, if that value ended inside the tail. */
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

  /** Whether a value is allowed here. */
  get wantsValue(): boolean {
    return this.state === 'value' || this.state === 'item' || this.state === 'first-item'
  }

  /** Whether a key is allowed here. */
  get wantsKey(): boolean {
    return this.state === 'key' || this.state === 'first-key'
  }

  /** Whether the text ended after a value at this depth or above. */
  afterValue(depth: number): boolean {
    return this.why === 'more' && this.depth <= depth && AFTER_VALUE.has(this.state)
  }

  /** Whether the tail began with the closing quote of a string. */
  get afterString(): boolean {
    return this.tail !== undefined && this.#quoted
  }

  /** Continues reading from `at`, at most to `end`. Returns how far it got. */
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

  /** Hands out text as part of the value being read. */
  put(text: string): void {
    if (this.tail !== undefined) this.tail += text
    else if (this.#outDepth >= 0) this.#out += text
    if (this.state === 'key-string' && this.depth <= this.watch) this.#keyText += text
  }

  /** The last quote did not close its string: it and everything after it, which is returned, is content, and the string continues. */
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

  /** Removes the last comma, which was one too many. */
  dropComma(): void {
    const tail = this.tail!
    const before = tail.slice(0, tail.lastIndexOf(','))
    this.tail = before === '' ? undefined : before
    this.state = 'after'
  }

  /** Adds the closing brackets that are missing here, and returns them. */
  closeAll(): string {
    let added = ''
    while (this.depth > 0) {
      const code = this.#stack.at(-1)! + TO_CLOSE
      added += String.fromCharCode(code)
      this.#close(code)
    }
    return added
  }

  /** A comma: read, or added because it is missing here. */
  comma(): void {
    this.#startTail(',')
    this.state = this.#stack.at(-1) === OPEN ? 'key' : 'item'
  }

  /** A whole value, as JSON. */
  value(json: string): void {
    this.word = ''
    this.confirm()
    this.#begin()
    this.put(json)
    this.#endValue()
  }

  /** A whole key; the colon is still to come. */
  nameKey(key: string): void {
    this.keys++
    const json = JSON.stringify(key)
    this.put(json)
    this.#keyText = json.slice(1, -1)
    this.state = 'colon'
  }

  /** The rest fits, so the tail is a tail. */
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

  /** Reads one token outside strings. False: it does not fit. Undefined: a word begins. */
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

  /** Where a long string that is all there ends, if it is valid; otherwise where it begins. Native code is faster. */
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
      // A valid escape of two characters needs no stop; a longer, invalid or incomplete one does.
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

  /** An escape that may be split between chunks is collected until it is whole. */
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

  /** Continues the string, with this in place of the escape. */
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

/** How long a string is that is worth to be looked at as a whole. */
const LONG = 256

/** Whether the character here comes after an odd number of backslashes. */
function isEscaped(text: string, at: number): boolean {
  let from = at
  while (text.charCodeAt(from - 1) === BACKSLASH) from--
  return (at - from) % 2 === 1
}

/** From the code of an opening bracket to that of its closing one. */
const TO_CLOSE = CLOSE - OPEN

/** The states after a value has ended. */
const AFTER_VALUE: ReadonlySet<State> = new Set(['after', 'key', 'key-string', 'colon'])

/** A number as JSON writes it. Anchored, each part once: linear. */
export const JSON_NUMBER: RegExp = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/
const LITERALS = new Set(['true', 'false', 'null'])

/** Any character except those that end a word: whitespace, quotes, brackets, comma, colon. */
export function isWord(code: number): boolean {
  return code > 32 && code !== 0xfeff && !NO_WORD.has(code)
}

const NO_WORD = new Set('"\'`<,:{}[]'.split('').map((char) => char.charCodeAt(0)))

/** The characters that may follow a backslash, except the `u` of a longer escape. */
const SHORT_ESCAPES = new Uint8Array(128)
for (const char of '"\\/bfnrt') SHORT_ESCAPES[char.charCodeAt(0)] = 1

/** An escape, or the beginning of a longer one. */
const ESCAPE = /^\\(?:["\\/bfnrt]|u[0-9a-fA-F]{0,4})$/

/** Text that was read as JSON, as the content of a string: its escapes stay; quotes and control characters get one. */
function asContent(text: string): string {
  let out = ''
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === BACKSLASH) out += text.slice(i, ++i + 1)
    else out += code === QUOTE || code < 32 ? JSON.stringify(text[i]).slice(1, -1) : text[i]!
  }
  return out
}
