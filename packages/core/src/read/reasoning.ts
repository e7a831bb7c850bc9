import { tokens, trailingSpace } from './compile.ts'
import type { Block } from './grammar.ts'
import type { Reader } from './input.ts'
import type { Message } from './message.ts'
import { eat, space } from './readers.ts'
import { readRegion } from './region.ts'

/**
 * Read reasoning. Calls in it are thoughts; only where it never closes are they read after all, and marked so.
 * With `inside`, the prompt has already opened it.
 */
export function* readReasoning(message: Message, block: Block, inside: boolean): Reader<boolean> {
  const { input, output } = message
  const { wire, anyCase } = block
  const [open, close] = [wire[0], wire.at(-1)] as [string, string]
  const [opening, closing] = [tokens(open)[0]!, tokens(close)[0]!]
  if (!(yield* eat(input, opening, anyCase)) && !inside) return false
  output.block()
  yield* eat(input, trailingSpace(open) || '\n')
  const outcome = yield* readRegion(message, {
    ends: block.ending,
    *end() {
      if (input.compare(opening, anyCase) !== 'all') return 'closed'
      message.nested++
      return opening.length
    },
    give: (text, at) => output.reasoning(text, at),
  })
  if (outcome === 'closed') {
    yield* space(input)
    yield* eat(input, closing, anyCase)
  }
  // Thoughts within thoughts: the first end may not have been the last.
  if (outcome === 'unclosed' || message.nested > 0) message.facts.inReasoning = true
  return true
}

/** A mark that carries nothing. One that closes reasoning may close what was opened twice. */
export function* readIgnored(message: Message, block: Block): Reader<boolean> {
  message.output.block()
  message.input.cursor += block.closing!.length
  if (message.nested > 0 && --message.nested === 0) delete message.facts.inReasoning
  return true
}
