import { REFUSED, WAIT } from './lookahead.ts'
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
  let end = WAIT
  const step = (): boolean => (end = labelEnd(input, stops, fits)) !== WAIT
  if (!step()) yield step
  return end === REFUSED ? undefined : input.take(end).trim()
}

/** The offset where a label that begins at `from` ends. `WAIT`: it takes more text to tell. `REFUSED`: there is none. */
export function labelEnd(
  input: Input,
  stops: Marks,
  fits: (label: string) => boolean,
  from: number = 0,
): number {
  for (let at = from; ;) {
    const end = input.scan(stops, at, Math.min(WINDOW, from + LONGEST_LABEL + 1 - at))
    // Half a character may become a letter.
    const half = !input.hit && (input.code(end - 1) & 0xfc00) === 0xd800 ? 1 : 0
    if (end - from > LONGEST_LABEL || !fits(input.between(from, end - half).trim())) return REFUSED
    if (input.hit) return end
    if (end === at) return input.ended ? REFUSED : WAIT
    at = end
  }
}

/** How far to look before asking whether it fits: most text that is not a label is ruled out by its beginning. */
const WINDOW = 16

/**
 * Whether a label can be a tool's name where marks, not quotes, delimit it: letters, digits and `_ . : / -`, and other characters
 * by number. The last one may not be all there yet.
 */
export function isName(label: string): boolean {
  return NAME.test(label.includes('&') ? label.replace(BY_NUMBER, '') : label)
}

const BY_NUMBER = /&#[0-9]{0,5};|&#?[0-9]{0,5}$/g

/** Whether a label can be an argument's name: on one line, without marks. */
export function isKey(label: string): boolean {
  return KEY.test(label)
}

const KEY = /^[^\n<>"「」]*$/
const NAME = /^[\p{L}\p{N}_.:/-]*$/u
