import { OPEN, BACKSLASH, CLOSE, CLOSE_LIST, OPEN_LIST, QUOTE } from '../json/text.ts'
import type { Block } from './grammar.ts'
import type { Reader, Taken, Input } from './input.ts'
import { NO_MARKS, type Marks } from './marks.ts'
import type { Message } from './message.ts'
import { eat, eatAny, isSpace, some, space, until } from './readers.ts'
import { wasCut, type ReadFailure } from './failure.ts'

/**
 * The maximum distance to the closing mark of an unreadable block. The report extends up to that
 * mark.
 */
const LONGEST_BROKEN = 1 << 16
/** The maximum distance if only the opening was correct. */
const LONGEST_EMPTY = 1 << 12

/**
 * Reports a block that began like a call but could not be read as one, up to its closing mark or
 * the beginning of another call. With `announced`, the reader is at the failure. Otherwise it is
 * before the opening; if only a mark is mentioned and nothing like a call follows, the mark is
 * text, and the result is false.
 */
export function* readBroken(
  message: Message,
  block: Block,
  announced?: { place: number; index?: number },
): Reader<boolean> {
  const { input, grammar } = message
  const place = announced?.place ?? input.hold()
  const failure = message.failure ?? NOTHING
  if (block.element && (yield* readBrokenElement(message, block, place, announced?.index)))
    return true
  if (block.element && announced?.index === undefined) return false
  const begun = announced !== undefined || (yield* skipOpening(message, block)) < failure.at
  const before = input.fence(input.place + (begun ? LONGEST_BROKEN : LONGEST_EMPTY))
  const found = yield* until(input, block.ending.join(grammar.calls))
  const closed =
    found && block.closing !== undefined && (yield* eat(input, block.closing, block.anyCase))
  input.lift(before)
  const another = found && !closed && input.match(grammar.calls) === 'all'
  if (!begun && !closed && !another) {
    input.back()
    return false
  }
  const cut = failure.problem === 'cut' && (closed || another)
  const problem = !begun ? 'empty' : cut ? 'syntax' : failure.problem
  report(message, { ...failure, problem }, announced?.index)
  if (another || message.suspect.value) message.facts.afterMalformed = true
  else delete message.facts.afterMalformed
  return true
}

const NOTHING: ReadFailure = { problem: 'syntax', expected: 'a call', at: -1 }

/**
 * Reports an unreadable element of a list. It ends with its own brackets, so the following elements
 * are not affected.
 */
function* readBrokenElement(
  message: Message,
  { weak, opening }: Block,
  place: number,
  index: number | undefined,
): Reader<boolean> {
  const { input, failure = NOTHING } = message
  input.back()
  input.hold()
  const before = input.fence(place + LONGEST_BROKEN)
  yield* space(input)
  const ended = input.code() === OPEN && (yield* skipBalanced(input, weak ? NO_MARKS : opening))
  // If the reply was cut off before the closing bracket, all remaining text may be part of the
  // element.
  const cut = wasCut(message)
  input.lift(before)
  if (!ended && !cut) {
    // After a wrong quote, all later text looks like strings, so another list of this kind may
    // begin there.
    if (index === undefined || !weak) input.back()
    if (index !== undefined && !weak) input.hold()
    return false
  }
  report(message, failure, index)
  return true
}

/** Reports the text since the last held place as malformed. */
export function report(
  { input, output }: Message,
  { problem, expected, at: stopped }: ReadFailure,
  index?: number,
  { raw, span }: Taken = input.cut(),
): void {
  const at = Math.min(Math.max(stopped, span[0]), span[1])
  const hint = hintOf(expected, raw.slice(at - span[0]))
  output.malformed({ raw, problem, hint, at, span }, index)
}

/**
 * Skips the opening mark and the whitespace after it. Returns the expected place of the call
 * itself.
 */
function* skipOpening({ input, names }: Message, { opening }: Block): Reader<number> {
  yield* eatAny(input, names ? opening.for(names) : opening)
  let count = 0
  while (count < LONGEST_EMPTY && (yield* some(input, count + 1)) && isSpace(input.code(count)))
    count++
  return input.place + count
}

function hintOf(expected: string, rest: string): string {
  const found = rest === '' ? 'the end of the text' : JSON.stringify(rest.slice(0, LONGEST_SHOWN))
  return `Expected ${quoted(expected)}, found ${found}.`
}

const LONGEST_SHOWN = 24

/** Marks are quoted; descriptions are not. */
function quoted(expected: string): string {
  return expected.includes(' ') || expected.startsWith('"') ? expected : `"${expected}"`
}

/**
 * Skips an object by its brackets and strings. False if it does not end before the input or one of
 * these marks.
 */
export function* skipBalanced(input: Input, marks: Marks): Reader<boolean> {
  let depth = 0
  let quoted = false
  let done = false
  const step = (): boolean => {
    while (!done && input.length > 0) {
      const code = input.code()
      if (marks.first[code & 255] !== 0) {
        const match = input.match(marks)
        if (match === 'all' || (match === 'part' && !input.ended)) return match === 'all'
      }
      if (quoted && code === BACKSLASH && input.length < 2 && !input.ended) return false
      input.cursor += quoted && code === BACKSLASH ? Math.min(2, input.length) : 1
      if (code === QUOTE) quoted = !quoted
      else if (!quoted && (code === OPEN || code === OPEN_LIST)) depth++
      else if (!quoted && (code === CLOSE || code === CLOSE_LIST)) done = --depth <= 0
    }
    return done || input.ended
  }
  if (!step()) yield step
  return done
}
