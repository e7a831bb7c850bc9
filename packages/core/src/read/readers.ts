import { tokens } from './compile.ts'
import type { Input, Reader, Sought, Step } from './input.ts'
import type { Marks, Match } from './marks.ts'

/**
 * Shared results of readers that need no more text. Most readers here are not generators: the text
 * is usually available, so they read immediately when called and return one of these. Call them
 * only where they run: `yield* eat(…)`. The code that waits is in separate functions, because a
 * function that contains another costs memory on each call.
 */
export const YES: Reader<true> = known(true)
export const NO: Reader<false> = known(false)
export const DONE: Reader<undefined> = known(undefined)

/** A reader that has already finished. */
function known<T>(value: T): Reader<T> {
  const result = { done: true, value }
  const reader = { next: () => result, [Symbol.iterator]: () => reader }
  return reader as unknown as Reader<T>
}

/** Waits until a step is done, then returns the result of `found`. */
export function* wait<T>(step: Step, found: () => T): Reader<T> {
  yield step
  return found()
}

/** Skips whitespace, and waits as long as more may come. A byte order mark is whitespace. */
export function space(input: Input): Reader<void> {
  return skipSpace(input) ? DONE : spaceLater(input)
}

function spaceLater(input: Input): Reader<void> {
  return wait(() => skipSpace(input), nothing)
}

/** Skips the available whitespace. True if there is no more. */
export function skipSpace(input: Input): boolean {
  while (isSpace(input.code())) input.cursor++
  return input.length > 0 || input.ended
}

function nothing(): void {}

/**
 * Skips whitespace between marks. With repairs, also skips the line breaks of text that was escaped
 * as a whole.
 */
export function layout(input: Input, builder: Repairing): Reader<void> {
  return skipSpace(input) && input.code() !== 92 ? DONE : skipLayout(input, builder)
}

function* skipLayout(input: Input, builder: Repairing): Reader<void> {
  do yield* space(input)
  while (
    input.code() === 92 &&
    builder.mayRepair &&
    (yield* eat(input, ESCAPED_BREAK)) &&
    builder.repair('escaped-text')
  )
}

type Repairing = { readonly mayRepair: boolean; repair(name: string): boolean }

export const ESCAPED_BREAK = '\\n'

export function isSpace(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13) || code === 0xfeff
}

/** The amount of whitespace to skip in a lookahead. */
export const MAX_SPACE = 64

/** The offset after the whitespace, up to a maximum length. */
export function afterSpace(input: Input, from: number): number {
  let at = from
  while (at < from + MAX_SPACE && isSpace(input.code(at))) at++
  return at
}

/** Waits for at least `count` characters or the end. True if the characters are available. */
export function some(input: Input, count = 1): Reader<boolean> {
  if (input.length >= count) return YES
  return input.ended ? NO : someLater(input, count)
}

function someLater(input: Input, count: number): Reader<boolean> {
  const there = (): boolean => input.length >= count
  return wait(() => there() || input.ended, there)
}

/** True if `mark` is next. Waits until that is certain. */
export function ahead(input: Input, mark: string, anyCase?: boolean): Reader<boolean> {
  const match = input.compare(mark, anyCase)
  if (match === 'part' && !input.ended) return aheadLater(input, mark, anyCase)
  return match === 'all' ? YES : NO
}

function aheadLater(input: Input, mark: string, anyCase?: boolean): Reader<boolean> {
  return later(input, () => input.compare(mark, anyCase))
}

/** Waits until `look` is certain. True if it matches. */
function later(input: Input, look: () => Match): Reader<boolean> {
  return wait(
    () => input.ended || look() !== 'part',
    () => look() === 'all',
  )
}

/** Skips `mark` if it is next. */
export function eat(input: Input, mark: string, anyCase?: boolean): Reader<boolean> {
  const match = input.compare(mark, anyCase)
  if (match === 'part' && !input.ended) return eatLater(input, mark, anyCase)
  if (match !== 'all') return NO
  input.cursor += mark.length
  return YES
}

function* eatLater(input: Input, mark: string, anyCase?: boolean): Reader<boolean> {
  if (!(yield* ahead(input, mark, anyCase))) return false
  input.cursor += mark.length
  return true
}

/** Skips the text of a picture. Whitespace between its marks is optional. */
export function* eatAll(input: Input, literal: string, anyCase?: boolean): Reader<boolean> {
  for (const token of tokens(literal)) {
    yield* space(input)
    if (!(yield* eat(input, token, anyCase))) return false
  }
  return true
}

/** Runs a reader and returns to its start unless it succeeds. */
export function* attempt<T>(input: Input, reader: Reader<T>): Reader<T> {
  input.hold()
  const found = yield* reader
  if (found) input.release()
  else input.back()
  return found
}

/** Runs a reader and returns to its start. */
export function* lookAhead<T>(input: Input, reader: Reader<T>): Reader<T> {
  input.hold()
  const found = yield* reader
  input.back()
  return found
}

/** Returns true if one of `marks` is next. Waits until that is certain. */
export function anyAhead(input: Input, marks: Marks): Reader<boolean> {
  const match = input.match(marks)
  if (match === 'part' && !input.ended) return anyLater(input, marks)
  return match === 'all' ? YES : NO
}

function anyLater(input: Input, marks: Marks): Reader<boolean> {
  return later(input, () => input.match(marks))
}

/** Skips one of `marks` if it is next. */
export function* eatAny(input: Input, marks: Marks): Reader<boolean> {
  if (!(yield* anyAhead(input, marks))) return false
  input.cursor += marks.lengthAt(input)
  return true
}

/**
 * Passes on text up to the first of `marks`, as soon as it cannot be part of one. False if the
 * input ends first.
 */
export function until(
  input: Input,
  marks: Sought,
  give: (text: string) => void = nothing,
): Reader<boolean> {
  if (!giveUntil(input, marks, give)) return untilLater(input, marks, give)
  return input.hit ? YES : NO
}

function giveUntil(input: Input, marks: Sought, give: (text: string) => void): boolean {
  const count = input.scan(marks)
  if (count > 0) give(input.take(count))
  return input.hit || input.ended
}

function untilLater(input: Input, marks: Sought, give: (text: string) => void): Reader<boolean> {
  return wait(
    () => giveUntil(input, marks, give),
    () => input.hit,
  )
}

/** Skips text up to the first of `marks`, if it is near. */
export function* skipText(input: Input, marks: Marks): Reader<boolean> {
  const before = input.fence(input.place + MAX_SKIPPED)
  const found = yield* until(input, marks)
  input.lift(before)
  return found
}

/** The maximum amount of text to skip. */
const MAX_SKIPPED = 1 << 10

/** The repair that skips text between tags. */
export const STRAY_TEXT = 'stray-text'
