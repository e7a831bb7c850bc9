import type { Hole } from '../hole.ts'
import type { Input, Reader } from '../read/input.ts'
import { Marks } from '../read/marks.ts'
import { ahead, attempt, eat, eatAny, some, space } from '../read/readers.ts'

/**
 * One of several words as a label: `Action:`, `**Action:**`, `Action 1:`, perhaps with code after it. The `first` one begins a
 * call, others begin a new line.
 */
export function label(words: readonly string[], first: boolean): Hole {
  const marks = new Marks(words)
  return {
    starts: () => (first ? labelMarks(words) : ['\n', '`']),
    *read({ input, builder }) {
      return (yield* attempt(input, readLabel(input, marks))) || builder.fail('syntax', words[0]!)
    },
    print: () => '',
  }
}

/** How labels begin. */
export function labelMarks(words: readonly string[]): string[] {
  return words.flatMap((word) => [`${word}:`, `${word} 1`, `**${word}:`, `**${word}**`])
}

/** The end of code that began after a label, if there was some. */
export const codeEnd: Hole = {
  optional: true,
  starts: () => ['`'],
  *read({ input }) {
    if (!(yield* ahead(input, '```'))) yield* eat(input, '`')
    return true
  },
  print: () => '',
}

function* readLabel(input: Input, words: Marks): Reader<boolean> {
  yield* eat(input, '`')
  yield* space(input)
  yield* eat(input, '**')
  if (!(yield* eatAny(input, words))) return false
  yield* eat(input, ' ')
  while ((yield* some(input)) && isDigit(input.code())) input.cursor++
  yield* eat(input, '**')
  if (!(yield* eat(input, ':'))) return false
  yield* eat(input, '**')
  yield* space(input)
  // What reads the arguments reads a fence, too.
  if (!(yield* ahead(input, '```'))) yield* eat(input, '`')
  return true
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57
}
