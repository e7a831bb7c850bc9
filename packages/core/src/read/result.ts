import { JsonScanner } from '../json/scanner.ts'
import { tokens } from './compile.ts'
import type { Block } from './grammar.ts'
import type { Input, Reader } from './input.ts'
import { LINE_END } from './marks.ts'
import type { Message } from './message.ts'
import { eat, some, space, until } from './readers.ts'

const LONGEST_RESULT = 1 << 16

/** A tool's result in the model's own reply is made up: report it, and mark the calls that follow. */
export function* readResult(message: Message, block: Block): Reader<boolean> {
  const { input, output } = message
  const place = input.hold()
  const opening = block.wire.find((part) => typeof part === 'string') as string
  for (const token of tokens(opening)) {
    yield* space(input)
    if (yield* eat(input, token, block.anyCase)) continue
    input.back()
    return false
  }
  input.fence(place + LONGEST_RESULT)
  if (block.closing !== undefined) {
    yield* until(input, block.ending, () => {})
    yield* eat(input, block.closing, block.anyCase)
  } else yield* readValue(input)
  input.fence(Infinity)
  const raw = input.since(place).slice(Math.max(-place, 0))
  input.release()
  output.result(raw, [Math.max(place, 0), Math.max(input.place, 0)])
  message.facts.afterResult = true
  return true
}

/** An object, or the rest of the line. */
function* readValue(input: Input): Reader<void> {
  yield* space(input)
  if ((yield* some(input)) && input.code() === 123) {
    const json = new JsonScanner(0)
    const step = (): boolean => {
      input.cursor = json.scan(input.buffer, input.cursor, input.end)
      return json.why !== 'more' || input.ended
    }
    if (!step()) yield step
  } else yield* until(input, LINE_END, () => {})
}
