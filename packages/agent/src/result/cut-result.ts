import { boundaryAtOrBefore, boundaryAtOrAfter } from './character-boundary.ts'

/**
 * A text of at most so many characters: its beginning and its end, whole lines where they are not too long, and between
 * them how much is left out and how to see it. With `call`, by `ReadMore`.
 */
export function cutResult(text: string, most: number, call?: string): string {
  if (text.length <= most) return text
  const notice = (from: number, to: number): string =>
    `\n[${to - from} of ${text.length} characters are left out here. ${howToGoOn(call, from)}]\n`
  const room = Math.max(0, most - notice(text.length, 2 * text.length).length)
  const from = lineEndBefore(text, Math.floor((room * 2) / 3))
  const to = startOfLine(text, text.length - (room - Math.floor((room * 2) / 3)))
  return text.slice(0, from) + notice(from, to) + text.slice(to)
}

function howToGoOn(call: string | undefined, offset: number): string {
  return call === undefined
    ? 'Ask for less, or for a part, to see them.'
    : `ReadMore with ${JSON.stringify({ call, offset })} shows them.`
}

/** The end of the last line that fits before a place; the place itself in the middle of a long line. */
export function lineEndBefore(text: string, place: number): number {
  const line = text.lastIndexOf('\n', place - 1) + 1
  return line > place - Math.min(LONGEST_LINE, place / 2) ? line : boundaryAtOrBefore(text, place)
}

function startOfLine(text: string, place: number): number {
  const line = text.indexOf('\n', place - 1) + 1
  const fits = line > 0 && line < place + Math.min(LONGEST_LINE, (text.length - place) / 2)
  return fits ? line : boundaryAtOrAfter(text, place)
}

const LONGEST_LINE = 1000
