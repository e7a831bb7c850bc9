/**
 * Shortens text to a maximum number of characters. Keeps the beginning and the end, as whole lines
 * unless these are long. A notice in between has the size of the omitted part and explains how to
 * read it. With `call`, it mentions `ReadMore`.
 */
export function cutResult(text: string, maxLength: number, call?: string): string {
  if (text.length <= maxLength) return text
  const notice = (from: number, to: number): string =>
    `\n[${to - from} of ${text.length} characters were omitted here. ${howToSee(call, from)}]\n`
  const room = Math.max(0, maxLength - notice(text.length, 2 * text.length).length)
  const from = lineEndBefore(text, Math.floor((room * 2) / 3))
  const to = lineStartAfter(text, text.length - (room - Math.floor((room * 2) / 3)))
  return text.slice(0, from) + notice(from, to) + text.slice(to)
}

function howToSee(call: string | undefined, offset: number): string {
  return call === undefined
    ? 'Request less, or a part, to see them.'
    : `Call ReadMore with ${JSON.stringify({ call, offset })} to see them.`
}

/** The end of the last line before an index, or the index itself in the middle of a long line. */
export function lineEndBefore(text: string, index: number): number {
  const line = text.lastIndexOf('\n', index - 1) + 1
  return line > index - Math.min(MAX_LINE, index / 2) ? line : boundaryAtOrBefore(text, index)
}

function lineStartAfter(text: string, index: number): number {
  const line = text.indexOf('\n', index - 1) + 1
  const fits = line > 0 && line < index + Math.min(MAX_LINE, (text.length - index) / 2)
  return fits ? line : boundaryAtOrAfter(text, index)
}

const MAX_LINE = 1000

/** The index, or the one before it if the index is inside a surrogate pair. */
export function boundaryAtOrBefore(text: string, index: number): number {
  return isInSurrogatePair(text, index) ? index - 1 : index
}

/** The index, or the one after it if the index is inside a surrogate pair. */
export function boundaryAtOrAfter(text: string, index: number): number {
  return isInSurrogatePair(text, index) ? index + 1 : index
}

function isInSurrogatePair(text: string, index: number): boolean {
  if (index <= 0 || index >= text.length) return false
  return (
    (text.charCodeAt(index - 1) & 0xfc00) === 0xd800 && (text.charCodeAt(index) & 0xfc00) === 0xdc00
  )
}
