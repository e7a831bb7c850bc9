import type { Input, Reader } from './input.ts'
import type { Marks } from './marks.ts'

/** The maximum length of names and keys: longer text is neither, so it is not held back forever. */
export const LONGEST_LABEL = 256

/**
 * Reads a name or a key, up to one of `stops`. Undefined: there is none within the maximum length, or the text cannot be part of
 * one (`fits`), which is known sooner.
 */
export function* readLabel(
  input: Input,
  stops: Marks,
  fits: (label: string) => boolean = () => true,
): Reader<string | undefined> {
  let found = 0
  let fine = true
  const step = (): boolean => {
    found = input.scan(stops, { max: LONGEST_LABEL + 1 })
    fine = found <= LONGEST_LABEL && fits(input.peek(found).trim())
    return input.hit || !fine || input.ended
  }
  if (!step()) yield step
  return input.hit && fine ? input.take(found).trim() : undefined
}

/** Whether a label can be a tool's name where marks, not quotes, delimit it: letters, digits and `_ . : / -`. */
export function isName(label: string): boolean {
  return NAME.test(label)
}

/** Whether a label can be an argument's name: on one line, without marks. */
export function isKey(label: string): boolean {
  return KEY.test(label)
}

const KEY = /^[^\n<>"「」]*$/
const NAME = /^[\p{L}\p{N}_.:/-]*$/u
