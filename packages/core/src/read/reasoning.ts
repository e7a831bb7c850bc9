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
 * Reads reasoning. Calls in it are ignored, unless it never closes or nothing visible follows it:
 * then they are read and flagged. With `inside`, the prompt has already opened it. `readCall` reads
 * a complete call at a mark.
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
      // One of three things is here: a closing mark, the beginning of an answer, or another opening
      // of reasoning.
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
  // In nested reasoning, the first end may not be the last.
  if (outcome === 'unclosed' || message.nested > 0) message.facts.inReasoning = true
  return true
}

/** True if the model ended the reply with this region, followed only by marks without meaning. */
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

/** The maximum distance to search for visible text. */
const MAX_AFTER = 1 << 12

/** Reads text that is drawn as an answer. Marks in it are data, even if it never closes. */
export function* readAnswer(message: Message, block: Block): Reader<boolean> {
  const { input, grammar } = message
  if (!(yield* open(message, block))) return false
  message.watch?.onAnswer(input.place)
  const ends = block.ending.join(grammar.regions)
  yield* until(input, ends, (text) => giveText(message, text))
  yield* attempt(input, close(message, block))
  return true
}

/** Skips the opening and the line break after it. */
function* open({ input, output }: Message, block: Block): Reader<boolean> {
  const literal = block.wire[0] as string
  if (!(yield* attempt(input, eatAll(input, literal, block.anyCase)))) return false
  output.block()
  yield* eat(input, trailingSpace(literal) || '\n')
  return true
}

/** Skips the closing mark, if it is one of the region's own marks. */
function* close({ input }: Message, block: Block): Reader<boolean> {
  yield* space(input)
  if (yield* anyAhead(input, block.ending)) {
    for (const closing of block.closings) {
      if (yield* eat(input, closing, block.anyCase)) return true
    }
  }
  return false
}
