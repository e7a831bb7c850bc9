import { REFUSED, WAIT } from './lookahead.ts'
import type { Input, Reader } from './input.ts'
import type { Marks } from './marks.ts'

/**
 * The maximum length of names and keys, in characters. Longer text is neither, so it is not held
 * back indefinitely.
 */
export const LONGEST_LABEL = 256

/**
 * Reads a name or key up to one of `stops`. Returns undefined if none occurs within the maximum
 * length, or as soon as `fits` rejects the text.
 */
export function* readLabel(
  input: Input,
  stops: Marks,
  fits: (label: string) => boolean = () => true,
): Reader<string | undefined> {
  let end = WAIT
  const step = (): boolean => (end = labelEnd(input, stops, fits)) !== WAIT
  if (!step()) yield step
  return end === REFUSED ? undefined : input.take(end).trim()
}

/**
 * The offset of the end of a label that begins at `from`, `WAIT` if more text is needed, or
 * `REFUSED` if there is no label.
 */
export function labelEnd(
  input: Input,
  stops: Marks,
  fits: (label: string) => boolean,
  from: number = 0,
): number {
  for (let at = from; ;) {
    const end = input.scan(stops, at, Math.min(WINDOW, from + LONGEST_LABEL + 1 - at))
    // Half of a surrogate pair may become a letter.
    const half = !input.hit && (input.code(end - 1) & 0xfc00) === 0xd800 ? 1 : 0
    if (end - from > LONGEST_LABEL || !fits(input.between(from, end - half).trim())) return REFUSED
    if (input.hit) return end
    if (end === at) return input.ended ? REFUSED : WAIT
    at = end
  }
}

/**
 * The number of characters to look ahead before the first test, which rules out most text that is
 * not a label.
 */
const WINDOW = 16

/**
 * True if a label can be a tool's name between marks: letters, digits and `_ . : / -`, and other
 * characters as numeric entities. The last entity may be incomplete.
 */
export function isName(label: string): boolean {
  return NAME.test(label.includes('&') ? label.replace(BY_NUMBER, '') : label)
}

const BY_NUMBER = /&#[0-9]{0,5};|&#?[0-9]{0,5}$/g

/** True if a label can be an argument's name: on one line, without marks. */
export function isKey(label: string): boolean {
  return KEY.test(label)
}

const KEY = /^[^\n<>"「」]*$/
const NAME = /^[\p{L}\p{N}_.:/-]*$/u
