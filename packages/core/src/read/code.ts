import type { Input, Reader } from './input.ts'
import { readLabel } from './label.ts'
import { LINE_END, Marks } from './marks.ts'
import { giveText, readRegion } from './region.ts'
import type { Message } from './message.ts'
import { NO, some } from './readers.ts'
import { stopped } from './failure.ts'

/**
 * Reads code, in which marks are data:
 *
 *     ```xml          a fence, if prose comes before it
 *     `<tool_call>`   a span, if it closes in its paragraph
 *
 * A fence at the start of a reply is only a wrapper: calls in it are read and marked as fenced. False if there is no code here.
 */
export function readCode(message: Message): Reader<boolean> {
  const char = message.input.peek(1)
  return char === '`' || char === '~' ? readMarked(message, char) : NO
}

function* readMarked(message: Message, char: '`' | '~'): Reader<boolean> {
  const { input, output } = message
  const length = yield* runLength(input, char)
  const mark = char.repeat(length)
  if (message.lineBlank && length >= 3) {
    if (message.fence && mark.startsWith(message.fence.mark)) closeWrapping(message, length)
    else if (output.blank && !message.fence) yield* openWrapping(message, mark)
    else yield* readFence(message, mark)
    return true
  }
  if (char === '~') return false
  yield* readSpan(message, length)
  return true
}

const LONGEST_RUN = 32

/** The number of times this character is repeated here. */
export function* runLength(input: Input, char: string): Reader<number> {
  let length = 1
  const code = char.charCodeAt(0)
  const step = (): boolean => {
    while (length < LONGEST_RUN && input.code(length) === code) length++
    return length < input.length || length === LONGEST_RUN || input.ended
  }
  if (!step()) yield step
  return length
}

function* openWrapping(message: Message, mark: string): Reader<void> {
  const { input, output } = message
  const place = input.hold()
  input.cursor += mark.length
  const info = yield* readLabel(input, LINE_END)
  if (info !== undefined) input.cursor++
  // The reply was cut off in the fence's first line, so the rest is not content.
  else if (input.finished && !stopped(message)) input.cursor = input.end
  output.layout(input.since(place), true)
  input.release()
  message.fence = { mark, used: false }
  message.facts.fenced = true
}

function closeWrapping(message: Message, length: number): void {
  const { input, output } = message
  const { used } = message.fence!
  const text = input.take(length)
  message.fence = undefined
  delete message.facts.fenced
  if (used) output.block()
  else if (output.blank) output.layout(text, true)
  else giveText(message, text)
}

function* readFence(message: Message, mark: string): Reader<void> {
  const { input } = message
  const give = (text: string): void => giveText(message, text)
  give(input.take(mark.length))
  const ends = fenceEnds(mark)
  const outcome = yield* readRegion(message, {
    ends,
    *end() {
      return 'closed'
    },
    give,
  })
  if (outcome === 'unclosed') {
    if (input.length > 0) message.facts.fenced = true
    return
  }
  give(input.take(ends.lengthAt(input)))
  while ((yield* some(input)) && input.peek(1) === mark[0]) give(input.take(1))
}

/**
 * The marks that close a fence: at the start of a line, with an indentation of up to three spaces.
 */
export function fenceEnds(mark: string): Marks {
  return new Marks(['', ' ', '  ', '   '].map((indent) => `\n${indent}${mark}`))
}

/**
 * Reads a span, which ends with the same number of backticks. A blank line shows that there was no
 * span.
 */
function* readSpan(message: Message, length: number): Reader<void> {
  const { input } = message
  const give = (text: string): void => giveText(message, text)
  give(input.take(length))
  const outcome = yield* readRegion(message, {
    ends: SPAN_ENDS,
    *end() {
      if (input.code() === 10) return 'unclosed'
      const run = yield* runLength(input, '`')
      return run === length ? 'closed' : run
    },
    give,
  })
  if (outcome === 'closed') give(input.take(length))
  else if (input.match(message.grammar.calls) === 'all') message.quoted = true
}

const SPAN_ENDS = new Marks(['`', '\n\n', '\n```', '\n~~~'])
