import { trailingSpace } from './compile.ts'
import { giveText, readRegion } from './region.ts'
import type { Block } from './grammar.ts'
import type { Reader } from './input.ts'
import type { Message } from './message.ts'
import {
  ahead,
  anyAhead,
  attempt,
  eat,
  eatAll,
  eatAny,
  isSpace,
  lookAhead,
  space,
  until,
} from './readers.ts'
import { stopped } from './failure.ts'

/**
 * Reads reasoning. Calls in it are only thoughts, unless it never closes, or nothing visible follows it: then they are read after
 * all, and marked as such. With `inside`, the prompt has already opened it. `readCall` reads a whole call at a mark.
 */
export function* readReasoning(
  message: Message,
  block: Block,
  inside: boolean,
  readCall: (message: Message) => Reader<boolean>,
): Reader<boolean> {
  const { input, output, grammar } = message
  if (!(yield* open(message, block)) && !inside) return false
  output.thought = true
  const give = (text: string): void => output.reasoning(text, input.place - text.length)
  let end = Infinity
  const outcome = yield* readRegion(message, {
    ends: block.ending.join(grammar.answers),
    *end() {
      // This closes it, begins an answer, or opens it once more.
      if (isSpace(input.code())) return 'closed'
      for (const closing of block.closings) {
        if (yield* ahead(input, closing, block.anyCase)) return 'closed'
      }
      if (yield* anyAhead(input, grammar.answers)) return 'closed'
      message.nested++
      return 1
    },
    give,
    *isLast() {
      end = input.place
      return message.nested === 0 && (yield* lookAhead(input, endsReply(message, block)))
    },
  })
  if (outcome === 'last') {
    const before = input.fence(end)
    while (yield* until(input, grammar.calls, give)) {
      if (!(yield* readCall(message))) give(input.take(1))
    }
    input.lift(before)
  }
  if (outcome !== 'unclosed') yield* attempt(input, close(message, block))
  // Nested reasoning: the first end may not have been the last.
  if (outcome === 'unclosed' || message.nested > 0) message.facts.inReasoning = true
  return true
}

/** Whether the model ended the reply with the end of this region: only marks without meaning follow. */
function* endsReply(message: Message, block: Block): Reader<boolean> {
  const { input, grammar } = message
  const before = input.fence(input.place + MAX_AFTER)
  if (yield* close(message, block)) {
    do yield* space(input)
    while (yield* eatAny(input, grammar.ignored))
  }
  const over = input.over
  input.lift(before)
  return over && input.finished && stopped(message)
}

/** How far to look for something visible. */
const MAX_AFTER = 1 << 12

/** Reads text that is drawn as an answer: marks in it are data, whether it closes or not. */
export function* readAnswer(message: Message, block: Block): Reader<boolean> {
  const { input, grammar } = message
  if (!(yield* open(message, block))) return false
  message.watch?.onAnswer(input.place)
  const ends = block.ending.join(grammar.regions)
  yield* until(input, ends, (text) => giveText(message, text))
  yield* attempt(input, close(message, block))
  return true
}

/** Skips the opening, and the line break after it. */
function* open({ input, output }: Message, block: Block): Reader<boolean> {
  const literal = block.wire[0] as string
  if (!(yield* attempt(input, eatAll(input, literal, block.anyCase)))) return false
  output.block()
  yield* eat(input, trailingSpace(literal) || '\n')
  return true
}

/** Skips the closing mark, if it is one of the region's own. */
function* close({ input }: Message, block: Block): Reader<boolean> {
  yield* space(input)
  if (yield* anyAhead(input, block.ending)) {
    for (const closing of block.closings) {
      if (yield* eat(input, closing, block.anyCase)) return true
    }
  }
  return false
}
