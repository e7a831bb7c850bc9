// Folder: Python values and calls.
import { jsonContent } from '../json/text.ts'
import type { CallBuilder } from '../read/call-builder.ts'
import type { Input, Reader } from '../read/input.ts'
import { Marks } from '../read/marks.ts'
import { eat, until, some } from '../read/readers.ts'

/** The state of repairs in the literals of one call. */
export interface LiteralRepairs {
  readonly builder: CallBuilder
  /** True if the model ended the reply, rather than a limit or an error. */
  readonly stopped: () => boolean
  /**
   * The quote of a string that contained the same quote. A second such string would be ambiguous.
   */
  torn?: string
}

/**
 * Decides, based on the text after a quote, whether the string is over or the quote is inside it.
 * `neither` if another string starts right after the quote. Undefined if more text is needed.
 */
type Closing = (rest: string) => 'over' | 'inside' | 'neither' | undefined

/**
 * Reads a string in single, double or triple quotes and outputs it as JSON. With `repairs`, a quote
 * is part of the string unless the text after it can follow a string. In a raw string, a backslash
 * is an ordinary character.
 */
export function* readString(
  input: Input,
  give: (json: string) => void,
  repairs: LiteralRepairs | undefined,
  closing: Closing,
  raw = false,
): Reader<boolean> {
  const one = input.peek(1)
  if (repairs?.torn === one) return false
  const triple = !raw && (yield* eat(input, one.repeat(3)))
  if (!triple) input.cursor++
  const stops = (raw ? RAW_ENDS : triple ? TRIPLE_ENDS : ENDS).get(one)!
  const builder = repairs?.builder
  const tryRepair = (repair: string): boolean =>
    builder !== undefined && builder.mayRepair && builder.repair(repair)
  let loose = false
  let held = false
  give('"')
  for (;;) {
    // The end of a repaired string is uncertain, so the beginning of another call ends it too. In
    // triple quotes that is content, unless they never close.
    const marks = loose || (triple && builder && !held) ? stops.join(builder!.guard) : stops
    if (!(yield* until(input, marks, (text) => give(jsonContent(text))))) break
    if (input.match(stops) !== 'all') {
      if (triple) {
        input.hold()
        held = true
        continue
      }
      builder!.suspect()
      break
    }
    if (input.code() < 32) {
      // Line breaks are not allowed in a string with single or double quotes.
      if (builder && !tryRepair('raw-control')) break
      loose = builder !== undefined
      give(jsonContent(input.take(1)))
      continue
    }
    if (input.code() === 92) {
      const meaning = yield* readEscape(input)
      if (meaning === undefined) break
      give(jsonContent(meaning))
      continue
    }
    const end = triple ? 'over' : yield* following(input, closing)
    // The reply may have been cut off before the deciding text.
    if (builder && end === undefined && input.finished) builder.openEnded = true
    const inside = end === 'inside' || (end === 'neither' && held)
    if (!inside || !tryRepair('unescaped-quote')) {
      if (held) input.release()
      input.cursor += triple ? 3 : 1
      give('"')
      return true
    }
    if (!held) input.hold()
    held = true
    repairs!.torn = one
    loose = true
    give(jsonContent(input.take(1)))
  }
  // The quote was wrong. Triple quotes, however, might have been closed if the reply had not been
  // cut off.
  if (held && triple && !(input.finished && repairs!.stopped())) input.release()
  else if (held) {
    input.back()
    if (triple) builder!.suspect()
  }
  return false
}

/** Looks a short way past the quote. If that doesn't decide, the quote closes the string. */
function* following(input: Input, closing: Closing): Reader<ReturnType<Closing>> {
  let found: ReturnType<Closing>
  const step = (): boolean => {
    found = closing(input.peek(HORIZON).slice(1))
    return found !== undefined || input.length >= HORIZON || input.ended
  }
  if (!step()) yield step
  return found
}

const HORIZON = 320

/**
 * An argument ends before `)`, before `))` at the end of a line, and before a comma with the next
 * argument's name.
 */
export const closesArgument: Closing = (rest) => {
  if (/^\s*(?:\)(?:\)[ \t]*)?|,\s*(?:\*|[\p{L}_][\p{L}\p{N}_.-]*\s*=?)?)?$/u.test(rest))
    return undefined
  if (BESIDE.test(rest)) return 'neither'
  return ARGUMENT_OVER.test(rest) ? 'over' : 'inside'
}

/** A value in brackets ends before a bracket or colon, and before a comma with another value. */
export const closesItem: Closing = (rest) => {
  if (/^\s*(?:,\s*)?$/.test(rest)) return undefined
  if (BESIDE.test(rest)) return 'neither'
  return ITEM_OVER.test(rest) ? 'over' : 'inside'
}

const BESIDE = /^\s*["']/
const ARGUMENT_OVER =
  /^\s*(?:\)(?:\)[ \t]*\n|(?![)"'\\\p{L}\p{N}_]))|,\s*(?:\)|\*\*|[\p{L}_][\p{L}\p{N}_.-]*\s*=(?!=)))/u
const ITEM_OVER = /^\s*(?:[\])}:]|,\s*["'[({\])}+.\-0-9TFNtfn])/

const marksOf = (marks: (quote: string) => string[]): ReadonlyMap<string, Marks> =>
  new Map(['"', "'"].map((quote) => [quote, new Marks(marks(quote))]))
const BREAKS = ['\n', '\r', '\0']
const ENDS = marksOf((quote) => [quote, '\\', ...BREAKS])
const TRIPLE_ENDS = marksOf((quote) => [quote.repeat(3), '\\'])
const RAW_ENDS = marksOf((quote) => [quote, ...BREAKS])

/** Reads an escape sequence. Escapes unknown to Python are kept literally. */
export function* readEscape(input: Input): Reader<string | undefined> {
  if (!(yield* some(input, 2))) return undefined
  const kind = input.peek(2)[1]!
  if (kind >= '0' && kind <= '7') {
    yield* some(input, 4)
    const octal = /^[0-7]{1,3}/.exec(input.peek(4).slice(1))![0]
    input.cursor += 1 + octal.length
    return String.fromCharCode(Number.parseInt(octal, 8))
  }
  const digits = [2, 4, 8]['xuU'.indexOf(kind)]
  if (digits === undefined) {
    const text = input.take(2)
    const at = KINDS.indexOf(kind)
    return at < 0 ? text : MEANINGS.charAt(at)
  }
  yield* some(input, 2 + digits)
  const hex = input.peek(2 + digits).slice(2)
  const code = hex.length === digits && IS_HEX.test(hex) ? Number.parseInt(hex, 16) : Infinity
  if (code > 0x10ffff) return input.take(2)
  input.cursor += 2 + digits
  return String.fromCodePoint(code)
}

/**
 * The characters that may follow a backslash, and their values. An escaped line break has no value.
 */
const KINDS = 'ntrbfva\\\'"\n'
const MEANINGS = '\n\t\r\b\f\v\u0007\\\'"'

const IS_HEX = /^[0-9a-fA-F]+$/
