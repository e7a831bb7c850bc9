import { skipBalanced } from './balanced.ts'
import type { Block } from './grammar.ts'
import type { Reader } from './input.ts'
import { LINE_END, NO_MARKS } from './marks.ts'
import type { Message } from './message.ts'
import { eat, eatAll, some, space, until } from './readers.ts'

const LONGEST_RESULT = 1 << 16

/** A tool's result in the model's own reply is made up: reports it, and marks the calls that follow. */
export function* readResult(message: Message, block: Block): Reader<boolean> {
  const { input, output } = message
  const place = input.hold()
  const opening = block.wire.find((part) => typeof part === 'string') as string
  if (!(yield* eatAll(input, opening, block.anyCase))) {
    input.back()
    return false
  }
  const before = input.fence(place + LONGEST_RESULT)
  if (block.closing !== undefined) {
    yield* until(input, block.ending)
    yield* eat(input, block.closing, block.anyCase)
  } else {
    // An object, or the rest of the line.
    yield* space(input)
    if ((yield* some(input)) && input.code() === 123) yield* skipBalanced(input, NO_MARKS)
    else yield* until(input, LINE_END)
  }
  input.lift(before)
  output.result(input.cut())
  message.facts.afterResult = true
  return true
}
