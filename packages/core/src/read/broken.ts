import { OPEN, BACKSLASH, CLOSE, CLOSE_LIST, OPEN_LIST, QUOTE } from '../json/text.ts'
import type { Block } from './grammar.ts'
import type { Reader, Taken, Input } from './input.ts'
import { NO_MARKS, type Marks } from './marks.ts'
import type { Message } from './message.ts'
import { eat, eatAny, isSpace, some, space, until } from './readers.ts'
import { wasCut, type ReadFailure } from './failure.ts'

/** A block that cannot be read is reported up to its closing mark, if that is at most this far away. */
const LONGEST_BROKEN = 1 << 16
/** The same if only its opening was correct. */
const LONGEST_EMPTY = 1 << 12

/**
 * Reports what began as a call and could not be read as one, up to its closing mark or to where another call begins. With
 * `announced`, the reader is where it failed; otherwise it is before the opening, and a mark that is merely mentioned, with
 * nothing like a call after it, is text: then it returns false.
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

/** Reports an element of a list that cannot be read, and that ends where its brackets do: what follows it is not touched. */
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
  // If it was cut before its brackets show where it ends, everything that arrived may belong to it.
  const cut = wasCut(message)
  input.lift(before)
  if (!ended && !cut) {
    // If a quote is wrong, everything after it looks like strings: another such list may begin there.
    if (index === undefined || !weak) input.back()
    if (index !== undefined && !weak) input.hold()
    return false
  }
  report(message, failure, index)
  return true
}

/** Reports what was read since the last held place as malformed. */
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

/** Skips the opening mark and the whitespace after it. Returns where the call itself should begin. */
function* skipOpening({ input, names }: Message, { opening }: Block): Reader<number> {
  yield* eatAny(input, names ? opening.for(names) : opening)
  let count = 0
  while (count < LONGEST_EMPTY && (yield* some(input, count + 1)) && isSpace(input.code(count)))
    count++
  return input.place + count
}

function hintOf(expected: string, rest: string): string {
  const found = rest === '' ? 'the end of the text' : JSON.stringify(rest.slice(0, LONGEST_SHOWN))
  return `Expected ${quoted(expected)}, got ${found}.`
}

const LONGEST_SHOWN = 24

/** A mark is shown in quotes; a description is not. */
function quoted(expected: string): string {
  return expected.includes(' ') || expected.startsWith('"') ? expected : `"${expected}"`
}

/** Skips an object, looking only at brackets and strings. False: it does not end, or not before one of these marks. */
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
