import { tokens } from './compile.ts'
import type { Input, Reader } from './input.ts'
import type { Marks } from './marks.ts'

/** Skips whitespace; waits while there may be more. A byte order mark counts as whitespace. */
export function* space(input: Input): Reader<void> {
  const step = (): boolean => {
    while (isSpace(input.code())) input.cursor++
    return input.length > 0 || input.ended
  }
  if (!step()) yield step
}

/** Skips whitespace between marks; with repairs, also the escaped line breaks of a text that was escaped as a whole. */
export function* layout(input: Input, draft: Repairing): Reader<void> {
  do yield* space(input)
  while (
    input.code() === 92 &&
    draft.mayRepair &&
    (yield* eat(input, ESCAPED_BREAK)) &&
    draft.repair('escaped-text')
  )
}

type Repairing = { readonly mayRepair: boolean; repair(name: string): boolean }

export const ESCAPED_BREAK = '\\n'

export function isSpace(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13) || code === 0xfeff
}

/** Waits for at least `count` characters, or the end. True: they are there. */
export function* some(input: Input, count = 1): Reader<boolean> {
  const step = (): boolean => input.length >= count || input.ended
  if (!step()) yield step
  return input.length >= count
}

/** Whether `mark` comes next; waits until that is certain. */
export function* ahead(input: Input, mark: string, anyCase?: boolean): Reader<boolean> {
  const step = (): boolean => input.ended || input.compare(mark, anyCase) !== 'part'
  if (!step()) yield step
  return input.compare(mark, anyCase) === 'all'
}

/** Skips `mark` if it comes next. */
export function* eat(input: Input, mark: string, anyCase?: boolean): Reader<boolean> {
  if (!(yield* ahead(input, mark, anyCase))) return false
  input.cursor += mark.length
  return true
}

/** Skips the text of a picture; whitespace between its marks is free. */
export function* eatAll(input: Input, literal: string, anyCase?: boolean): Reader<boolean> {
  for (const token of tokens(literal)) {
    yield* space(input)
    if (!(yield* eat(input, token, anyCase))) return false
  }
  return true
}

/** Runs a reader, and returns to where it began unless it succeeds. */
export function* attempt<T>(input: Input, reader: Reader<T>): Reader<T> {
  input.hold()
  const found = yield* reader
  if (found) input.release()
  else input.back()
  return found
}

/** Runs a reader, and returns to where it began. */
export function* lookAhead<T>(input: Input, reader: Reader<T>): Reader<T> {
  input.hold()
  const found = yield* reader
  input.back()
  return found
}

/** Whether one of `marks` comes next; waits until that is certain. */
export function* anyAhead(input: Input, marks: Marks): Reader<boolean> {
  const step = (): boolean => input.ended || input.match(marks) !== 'part'
  if (!step()) yield step
  return input.match(marks) === 'all'
}

/** Skips one of `marks` if it comes next. */
export function* eatAny(input: Input, marks: Marks): Reader<boolean> {
  if (!(yield* anyAhead(input, marks))) return false
  input.cursor += marks.lengthAt(input)
  return true
}

/** Hands out text up to the first of `marks`, as soon as it cannot be part of one. False: the input ended first. */
export function* until(
  input: Input,
  marks: Marks,
  give: (text: string) => void = () => {},
): Reader<boolean> {
  const step = (): boolean => {
    const count = input.scan(marks)
    if (count > 0) give(input.take(count))
    return input.hit || input.ended
  }
  if (!step()) yield step
  return input.hit
}

/** Skips text up to the first of `marks`, if that is near. */
export function* skipText(input: Input, marks: Marks): Reader<boolean> {
  const before = input.fence(input.place + MAX_SKIPPED)
  const found = yield* until(input, marks)
  input.lift(before)
  return found
}

/** How much text is skipped at most. */
const MAX_SKIPPED = 1 << 10

/** The repair that skips text between tags. */
export const STRAY_TEXT = 'stray-text'
