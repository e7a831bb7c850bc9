import { jsonContent } from '../json/content.ts'
import type { Draft } from '../read/draft.ts'
import type { Input, Reader } from '../read/input.ts'
import { Marks } from '../read/marks.ts'
import { eat, until } from '../read/readers.ts'
import { readEscape } from './escape.ts'

/** What may be forgiven in the literals of one call, and what was. */
export interface LiteralRepairs {
  readonly draft: Draft
  /** The quote of a string that had the same quote inside: another such string makes two readings. */
  torn?: string
}

/**
 * Whether what follows a quote shows that the string is over, or that the quote is part of it. Another string right
 * beside it is neither.
 */
export type Closing = (rest: string) => 'over' | 'inside' | 'neither' | undefined

/**
 * A string in either quotes, or three of them, handed out as JSON. With repairs, a quote that nothing fitting
 * follows is part of the string. In a raw string a backslash is only that.
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
  const draft = repairs?.draft
  const tryRepair = (repair: string): boolean =>
    draft !== undefined && draft.mayRepair && draft.repair(repair)
  let loose = false
  const torn = (): boolean => repairs?.torn === one
  give('"')
  for (;;) {
    // Where a mended string ends is not certain: what begins another call ends it too.
    const marks = loose ? stops.join(draft!.guard) : stops
    if (!(yield* until(input, marks, (text) => give(jsonContent(text))))) break
    if (input.match(stops) !== 'all') {
      draft!.suspect()
      break
    }
    if (input.code() < 32) {
      // What a string on one line cannot hold.
      if (draft && !tryRepair('raw-control')) break
      loose = draft !== undefined
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
    // The reply may have been cut before what would have told.
    if (draft && end === undefined && input.finished) draft.openEnded = true
    const inside = end === 'inside' || (end === 'neither' && torn())
    if (!inside || !tryRepair('unescaped-quote')) {
      if (torn()) input.release()
      input.cursor += triple ? 3 : 1
      give('"')
      return true
    }
    if (!torn()) input.hold()
    repairs!.torn = one
    loose = true
    give(jsonContent(input.take(1)))
  }
  // What was wrong was the quote.
  if (torn()) input.back()
  return false
}

/** Look a little further than the quote here. What is over the horizon closes. */
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

/** An argument is over before `)`, and before a comma and the next argument's name. */
export const closesArgument: Closing = (rest) => {
  if (/^\s*(?:\)|,\s*(?:[\p{L}_][\p{L}\p{N}_.-]*\s*=?)?)?$/u.test(rest)) return undefined
  if (BESIDE.test(rest)) return 'neither'
  return ARGUMENT_OVER.test(rest) ? 'over' : 'inside'
}

/** A value in brackets is over before a bracket or a colon, and before a comma and another value. */
export const closesItem: Closing = (rest) => {
  if (/^\s*(?:,\s*)?$/.test(rest)) return undefined
  if (BESIDE.test(rest)) return 'neither'
  return ITEM_OVER.test(rest) ? 'over' : 'inside'
}

const BESIDE = /^\s*["']/
const ARGUMENT_OVER =
  /^\s*(?:\)(?![)"'\\\p{L}\p{N}_])|,\s*(?:\)|[\p{L}_][\p{L}\p{N}_.-]*\s*=(?!=)))/u
const ITEM_OVER = /^\s*(?:[\])}:]|,\s*["'[({\])}+.\-0-9TFNtfn])/

const marksOf = (marks: (quote: string) => string[]): ReadonlyMap<string, Marks> =>
  new Map(['"', "'"].map((quote) => [quote, new Marks(marks(quote))]))
const BREAKS = ['\n', '\r', '\0']
const ENDS = marksOf((quote) => [quote, '\\', ...BREAKS])
const TRIPLE_ENDS = marksOf((quote) => [quote.repeat(3), '\\'])
const RAW_ENDS = marksOf((quote) => [quote, ...BREAKS])
