// Folder: JSON as models write it: read in a stream, repaired, printed.
import type { CallBuilder } from '../read/call-builder.ts'
import { Input, type Reader } from '../read/input.ts'
import { YES, eat, some } from '../read/readers.ts'
import type { Repair, Stop } from '../repair/repair.ts'
import { JsonScanner } from './scanner.ts'
import { comment } from '../repair/comment.ts'
import { singleQuotes } from '../repair/single-quotes.ts'
import { unquotedKey } from '../repair/unquoted-key.ts'
import { WORDS } from '../python/print.ts'
import { NO_MARKS } from '../read/marks.ts'
import { duplicateKeyIn } from './text.ts'

/** `"\$5"`, `"it\'s"`, `"C:\users"`: a backslash that escapes nothing stands for itself; before a single quote, it is dropped. */
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

/** `{path: src/index.ts}`: a word that begins with a letter or a few signs, up to the next comma or bracket. */
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

/** Not an invalid number: `01`, `4.2.3` and `NaN` stay errors. */
const BEGINS = /^(?!NaN$|Infinity$|undefined$)[\p{L}_$.~@#]/u

/** `"He said "hi" there"`: what follows the quote shows that it did not close the string. */
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

/** A line break or another control character inside a string, unescaped. */
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

/**
 * A comma is missing between two members or items. After a string, only on a new line or before a key: otherwise it could be a
 * quote in the string.
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

/** `{"a": {"b": 1}</tool_call>`: all values are whole, and the call's closing mark is where brackets should be. */
const missingBracket: Repair = {
  name: 'missing-bracket',
  cost: 2,
  *fits({ input, json, closing }) {
    if (json.state !== 'after' || closing === undefined) return false
    input.hold()
    // If more follows on the line, the mark is in a string whose quote is wrong.
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
const repairs: readonly Repair[] = [
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

/**
 * Reads JSON up to the next watched key or to its end, and repairs it on the way if the builder allows that. False: it is not
 * JSON, or the input ended inside it.
 */
export function readJson(input: Input, json: JsonScanner, builder: Repairing): Reader<boolean> {
  if (json.loose) return readOn(input, json, builder, false)
  // Most JSON is valid, and there.
  input.cursor = json.scan(input.buffer, input.cursor, input.end)
  return json.why === 'key' || json.why === 'done' ? YES : readOn(input, json, builder, true)
}

/** The same where text is missing or not valid. With `scanned`, what is there has just been read. */
function* readOn(
  input: Input,
  json: JsonScanner,
  builder: Repairing,
  scanned: boolean,
): Reader<boolean> {
  const { guard, closing } = builder
  const stop = { input, json, guard, closing }
  const begin = input.place
  /** Up to here there is nothing that ends the call, and where there is something. */
  let clear = 0
  let found = -1
  let guarded = false
  // Where strict reading stopped, before any repair: that is what went wrong.
  let strict = input.place
  let expected = ''
  const step = (): boolean => {
    let count: number
    do {
      const { place } = input
      // Where a repaired string ends is not certain: what ends the call ends it too. It is not looked for much further than has
      // been read, since the string may end soon.
      if (json.loose && clear <= place) {
        clear = place + input.scan(guard, 0, Math.max(NEAR, place - begin))
        if (input.hit) found = clear
      }
      count = json.loose ? clear - place : input.length
      input.cursor = json.scan(input.buffer, input.cursor, input.cursor + count)
      guarded = json.loose && json.why === 'more' && found === input.place
    } while (count > 0 && json.why === 'more' && !guarded && input.length > 0)
    return json.why !== 'more' || guarded || input.ended
  }
  for (let done = scanned; ; done = false) {
    if (!(done ? json.why !== 'more' || input.ended : step())) yield step
    if (guarded) {
      builder.suspect()
      return builder.fail('syntax', expected, strict)
    }
    if (json.why === 'key' || json.why === 'done') return true
    if (json.why === 'more') return builder.fail('cut', 'more JSON')
    if (json.tooDeep) return builder.fail('too-deep', 'less nesting')
    if (!json.loose) {
      strict = input.place
      expected = EXPECTED[json.state]
    }
    const repair = builder.mayRepair ? yield* cheapest(stop) : undefined
    const from = input.place
    const meant = repair && builder.take(repair.name) && (yield* repair.apply(stop))
    if (repair) builder.note(repair.name, from, meant, input.place)
    if (!repair || meant === false) return builder.fail('syntax', EXPECTED[json.state])
    if (json.state === 'done') return true
  }
}

type Repairing = Pick<
  CallBuilder,
  'guard' | 'closing' | 'mayRepair' | 'take' | 'note' | 'fail' | 'suspect'
>

/** Reads one whole value in the same way, and returns it as strict JSON. */
export function* readJsonText(input: Input, builder: Repairing): Reader<string | undefined> {
  const scanner = new JsonScanner(0)
  const pieces: string[] = []
  scanner.sink = (piece) => pieces.push(piece)
  return (yield* readJson(input, scanner, builder)) ? pieces.join('') : undefined
}

/** The cheapest repair that fits. If two have the same cost, the text is ambiguous, so there is none. */
function* cheapest(stop: Stop): Reader<Repair | undefined> {
  let best: Repair | undefined
  let tied = false
  for (const repair of repairs) {
    if (best && repair.cost > best.cost) continue
    if (!(yield* repair.fits(stop))) continue
    tied = repair.cost === best?.cost
    best = repair
  }
  return tied ? undefined : best
}

const EXPECTED: Record<JsonScanner['state'], string> = {
  value: 'a JSON value',
  'first-item': 'a JSON value or "]"',
  item: 'a JSON value',
  'first-key': 'a key in quotes or "}"',
  key: 'a key in quotes',
  colon: '":"',
  after: '"," or a closing bracket',
  string: 'no raw control character',
  'key-string': 'no raw control character',
  escape: 'a valid JSON escape',
  word: 'a JSON value',
  done: '',
}

/** How far to look ahead at first. */
const NEAR = 1 << 8

/** Whether a value may be repaired this way. If so, the repair is recorded. */
export type TryRepair = (repair: string) => boolean

/** Reads a whole text as one value written as in Python: with single quotes, True and None. */
export function readLoosely(text: string, tryRepair: TryRepair): { value: unknown } | undefined {
  const input = new Input()
  input.append(text)
  input.finish()
  const taken = new Set<string>()
  const builder = {
    ...PYTHON,
    take: (name: string) => REPAIRS.has(name) && !!taken.add(name),
  }
  // The whole text is there, so the reader never waits.
  const { value: json } = readJsonText(input, builder).next()
  return typeof json === 'string' &&
    input.length === 0 &&
    duplicateKeyIn(json) === undefined &&
    [...taken].every(tryRepair)
    ? { value: JSON.parse(json) as unknown }
    : undefined
}

const REPAIRS = new Set(['single-quotes', 'python-word', 'trailing-comma', 'raw-control'])

const PYTHON = {
  guard: NO_MARKS,
  closing: undefined,
  mayRepair: true,
  note: (): true => true,
  fail: (): false => false,
  suspect: () => {},
}
