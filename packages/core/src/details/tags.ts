import { name as nameHole } from '../holes/labels.ts'
import type { Wire } from '../wire.ts'
import type { Found, Frame } from './frame.ts'
import { afterSpace, trimmed } from './text.ts'

/** Where the text before a call's arguments, which ends at `to`, differs from what its protocol draws there. */
export function openingIn({ text, block, name }: Frame, to: number): Found {
  const { call, section = [] } = block.protocol
  const hole = call.indexOf(nameHole)
  const { from, to: end } = trimmed(text, 0, to)
  // The whole call is one hole: a tag without its end.
  if (hole < 0) return { from: end, to: end, became: '>' }
  const drawn = (wire: Wire): string => wire.filter((part) => typeof part === 'string').join('')
  const before = drawn(call.slice(0, hole)).trimStart()
  const after = drawn(call.slice(hole + 1, hole + 2)).trim()
  const last = after === '' ? -1 : text.indexOf(after, text.indexOf(name) + name.length)
  const written = text.slice(from, last < 0 || last > end ? end : last + after.length)
  // The section's mark may be lost together with the call's.
  const alone = difference(written, before + name + after, from)
  const around = drawn(section.slice(0, 1)).trim()
  const whole = difference(written, around + before + name + after, from)
  return whole.to - whole.from < alone.to - alone.from ? whole : alone
}

/** The middle of a text in which it differs from another: what is the same at both ends is left out. */
function difference(text: string, other: string, at: number): Found & { readonly became: string } {
  let start = 0
  while (start < text.length && text[start] === other[start]) start++
  let [end, otherEnd] = [text.length, other.length]
  while (end > start && otherEnd > start && text[end - 1] === other[otherEnd - 1]) {
    end--
    otherEnd--
  }
  return { from: at + start, to: at + end, became: other.slice(start, otherEnd) }
}

/** The closing mark that is missing: that of the tag before `from`, or of the call. */
export function closerOf({ text, block }: Frame, from: number | undefined): string {
  if (from === undefined) return block.closing ?? ''
  // The tag may be in the prompt.
  const near = text.slice(Math.max(from - LONGEST_TAG, 0), Math.max(from, 0))
  const tag = TAG.exec(near.slice(near.lastIndexOf('<')))
  return tag ? `</${tag[1]}>` : ''
}

const LONGEST_TAG = 400
const TAG = /^<([\p{L}_][\p{L}\p{N}_.:-]*)/u

/** The tag that should open a value between its key, which begins at `from`, and the tag at `to` that closes the value. */
export function missingOpener(text: string, from: number, to: number): Found {
  const opener = `<${text.slice(to + 2, text.indexOf('>', to))}>`
  const at = afterSpace(text, text.indexOf('>', text.indexOf('</', from)) + 1)
  // Of the tag, only `<` or `>` may be missing.
  const rest = [opener.slice(1), opener.slice(0, -1)].find((part) => text.startsWith(part, at))
  return { from: at, to: at + (rest?.length ?? 0), became: opener }
}
