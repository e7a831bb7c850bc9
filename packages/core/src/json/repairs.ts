import { WORDS } from '../python/print.ts'
import { readEscape } from '../python/string.ts'
import { type Input, Pieces, type Reader } from '../read/input.ts'
import { readLabel } from '../read/label.ts'
import { Marks } from '../read/marks.ts'
import { attempt, eat, lookAhead, skipText, some, space, until } from '../read/readers.ts'
import type { JsonScanner } from './scanner.ts'

/** The state where strict reading of JSON stopped. */
export interface Stop {
  readonly input: Input
  readonly json: JsonScanner
  /** The marks that end the call or begin another. No repair reads past them. */
  readonly guard: Marks
  /** The mark that ends the call, if any. */
  readonly closing: string | undefined
}

/**
 * One way to repair invalid JSON. It acts where the strict reader stops, and never inside a string.
 */
export interface Repair {
  readonly name: string
  /** Higher for less likely readings. The cheapest repair that applies is chosen. */
  readonly cost: number
  /**
   * Tests whether the reader could continue from here after this repair. Consumes nothing and looks
   * ahead by one label at most.
   */
  fits(stop: Stop): Reader<boolean>
  /**
   * Consumes the damaged text and outputs its meaning. May return text that was added or misread.
   * False if the repair fails after all.
   */
  apply(stop: Stop): Reader<string | void | false>
}

/** `// …` and `/* … * /` between tokens. */
const comment: Repair = {
  name: 'comment',
  cost: 1,
  *fits({ input, json }) {
    if (input.code() !== 47 || json.state === 'string' || json.state === 'escape') return false
    return (yield* some(input, 2)) && (input.code(1) === 47 || input.code(1) === 42)
  },
  *apply({ input, guard }) {
    const end = input.code(1) === 42 ? BLOCK_END : LINE_END
    input.cursor += 2
    yield* until(input, end.join(guard))
    if (input.match(end) !== 'all' && !(yield* attempt(input, mentions(input, end)))) return false
    if (end === BLOCK_END) input.cursor += 2
    return undefined
  },
}

/**
 * Tests whether a mark is only mentioned here: the comment ends on the same line without another
 * call in it, and the object closes right after it. Otherwise the mark may have ended the call.
 */
function* mentions(input: Input, end: Marks): Reader<boolean> {
  if (!(yield* skipText(input, end.join(BEFORE_CALL))) || input.match(end) !== 'all') return false
  return yield* lookAhead(input, closesAfter(input, end))
}

function* closesAfter(input: Input, end: Marks): Reader<boolean> {
  input.cursor += end.lengthAt(input)
  yield* space(input)
  return input.code() === 125 || input.code() === 93
}

const BLOCK_END = new Marks(['*/'])
const LINE_END = new Marks(['\n', '\r'])
const BEFORE_CALL = LINE_END.join(new Marks(['{']))

/**
 * `"\$5"`, `"it\'s"`, `"C:\users"`: a backslash that escapes nothing is kept as content; before a
 * single quote, it is dropped.
 */
const badEscape: Repair = {
  name: 'bad-escape',
  cost: 1,
  *fits({ json }) {
    return json.state === 'escape'
  },
  *apply({ input, json }) {
    const code = input.code()
    if (json.escape === '\\' && (code === 39 || code < 32))
      json.endEscape(JSON.stringify(input.take(1)).slice(1, -1))
    else json.endEscape(`\\${json.escape}`)
  },
}

/** An unescaped line break or other control character inside a string. */
const rawControl: Repair = {
  name: 'raw-control',
  cost: 1,
  *fits({ input, json }) {
    return (json.state === 'string' || json.state === 'key-string') && input.code() < 32
  },
  *apply({ input, json }) {
    json.loose = true
    json.put(JSON.stringify(input.take(1)).slice(1, -1))
  },
}

/** `"He said "hi" there"`: the text after the quote shows that it did not close the string. */
const unescapedQuote: Repair = {
  name: 'unescaped-quote',
  cost: 4,
  *fits({ json }) {
    return json.afterString
  },
  *apply({ json }) {
    return json.reopen()
  },
}

/**
 * `{'a': 'it is'}`: the closing quote is the first one before a comma, a colon or a closing
 * bracket.
 */
const singleQuotes: Repair = {
  name: 'single-quotes',
  cost: 2,
  *fits({ input, json }) {
    return input.code() === 39 && (json.wantsKey || json.wantsValue)
  },
  *apply(stop) {
    const { input, json } = stop
    const key = json.wantsKey
    input.cursor++
    const content = yield* quoted(stop)
    if (content === undefined) return false
    if (key) json.nameKey(content)
    else json.value(JSON.stringify(content))
    return undefined
  },
}

function* quoted({ input, guard }: Stop): Reader<string | undefined> {
  const content = new Pieces()
  const marks = INTERESTING.join(guard)
  for (;;) {
    yield* until(input, marks, (text) => content.add(text))
    if (input.match(INTERESTING) !== 'all') return undefined
    const quote = input.code() === 39
    if (quote && (yield* lookAhead(input, closes(input)))) {
      input.cursor++
      return content.toString()
    }
    const meaning = quote ? input.take(1) : yield* readEscape(input)
    if (meaning === undefined) return undefined
    content.add(meaning)
  }
}

/** Tests whether the text after this quote can follow a string. */
function* closes(input: Input): Reader<boolean> {
  input.cursor++
  yield* space(input)
  return AFTER_QUOTE.has(input.code())
}

const INTERESTING = new Marks(["'", '\\'])
/** , : } ] */
const AFTER_QUOTE = new Set([44, 58, 125, 93])

/**
 * `{path: src/index.ts}`: an unquoted word up to the next comma or bracket. It begins with a letter
 * or one of a few signs.
 */
const unquotedString: Repair = {
  name: 'unquoted-string',
  cost: 4,
  *fits({ json, input }) {
    const end = input.code()
    return json.wantsValue && BEGINS.test(json.word) && (end === 44 || end === 125 || end === 93)
  },
  *apply({ json }) {
    json.value(JSON.stringify(json.word))
  },
}

/** Excludes invalid numbers: `01`, `4.2.3` and `NaN` remain errors. */
const BEGINS = /^(?!NaN$|Infinity$|undefined$)[\p{L}_$.~@#]/u

/** `{name: "x"}` */
const unquotedKey: Repair = {
  name: 'unquoted-key',
  cost: 2,
  *fits(stop) {
    if (!stop.json.wantsKey) return false
    return !!(yield* lookAhead(stop.input, readUnquotedKey(stop)))
  },
  *apply(stop) {
    stop.json.nameKey((yield* readUnquotedKey(stop))!)
  },
}

function readUnquotedKey({ input }: Stop): Reader<string | undefined> {
  return readLabel(input, COLON, (label) => UNQUOTED_KEY.test(label))
}

const COLON = new Marks([':'])
const UNQUOTED_KEY = /^[\p{L}\p{N}_$-]*$/u

/** `True`, `False`, `None` */
const pythonWord: Repair = {
  name: 'python-word',
  cost: 1,
  *fits({ json }) {
    return WORDS.has(json.word) && json.wantsValue
  },
  *apply({ json }) {
    json.value(WORDS.get(json.word)!)
  },
}

/** `[1, 2,]` */
const trailingComma: Repair = {
  name: 'trailing-comma',
  cost: 1,
  *fits({ input, json }) {
    if (json.word !== '') return false
    return (
      (json.state === 'key' && input.code() === 125) ||
      (json.state === 'item' && input.code() === 93)
    )
  },
  *apply({ json }) {
    json.dropComma()
  },
}

/**
 * A missing comma between two members or items. After a string, it is added only on a new line or
 * before a key; otherwise the quote could be part of the string.
 */
const missingComma: Repair = {
  name: 'missing-comma',
  cost: 3,
  *fits({ input, json }) {
    if (json.state !== 'after') return false
    if (!json.afterString || json.newline) return STARTS.has(input.code())
    yield* some(input, HORIZON)
    return KEY.test(input.peek(HORIZON))
  },
  *apply({ json }) {
    json.comma()
  },
}

/** " { [ */
const STARTS = new Set([34, 123, 91])

const HORIZON = 64

const KEY = /^"[\w.-]+"\s?:/

/**
 * `{"a": {"b": 1}</tool_call>`: all values are complete, and the call's closing mark is in place of
 * the closing brackets.
 */
const missingBracket: Repair = {
  name: 'missing-bracket',
  cost: 2,
  *fits({ input, json, closing }) {
    if (json.state !== 'after' || closing === undefined) return false
    input.hold()
    // If more text follows on the line, the mark is inside a string with a wrong quote.
    const closed =
      (yield* eat(input, closing)) && (!(yield* some(input)) || FOLLOWS.has(input.code()))
    input.back()
    return closed
  },
  *apply({ json }) {
    return json.closeAll()
  },
}

/** A line break, < or [ */
const FOLLOWS = new Set([10, 13, 60, 91])

/** Every repair of JSON. */
export const repairs: readonly Repair[] = [
  badEscape,
  comment,
  missingBracket,
  missingComma,
  pythonWord,
  rawControl,
  singleQuotes,
  trailingComma,
  unescapedQuote,
  unquotedKey,
  unquotedString,
]
