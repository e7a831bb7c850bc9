import type { EditMatch } from './find-matches.ts'

/** Text with LF line ends, and a mapping back to the original text. */
export interface FlatText {
  readonly text: string
  /** Converts an index in `text` to one in the original. */
  original(place: number): number
}

/** Converts CRLF to LF, and remembers the positions. */
export function flatten(whole: string): FlatText {
  if (!whole.includes('\r\n')) return { text: whole, original: (place) => place }
  // Indexes in the flat text of the line feeds that were preceded by a carriage return.
  const returns: number[] = []
  for (let at = whole.indexOf('\r\n'); at >= 0; at = whole.indexOf('\r\n', at + 2))
    returns.push(at - returns.length)
  const original = (place: number): number => place + countBelow(returns, place)
  return { text: whole.replaceAll('\r\n', '\n'), original }
}

function countBelow(numbers: readonly number[], bound: number): number {
  let low = 0
  let high = numbers.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (numbers[middle]! < bound) low = middle + 1
    else high = middle
  }
  return low
}

/** Applies the replacements. Unchanged text and all line ends are kept exactly. */
export function applyMatches(whole: string, flat: FlatText, matches: readonly EditMatch[]): string {
  const parts: string[] = []
  let done = 0
  for (const match of matches) {
    const { start, end, replacement } = narrow(flat.text, match)
    const from = flat.original(start)
    const to = flat.original(end)
    const removed = whole.slice(from, to)
    parts.push(
      whole.slice(done, from),
      withLineEnds(replacement, removed, () => lineEndNear(whole, from)),
    )
    done = to
  }
  return parts.join('') + whole.slice(done)
}

/** Removes the common prefix and suffix of a match and its replacement. */
function narrow(text: string, { start, end, replacement }: EditMatch): EditMatch {
  const max = Math.min(end - start, replacement.length)
  let before = 0
  while (before < max && text[start + before] === replacement[before]) before++
  let after = 0
  while (
    after < max - before &&
    text[end - 1 - after] === replacement[replacement.length - 1 - after]
  )
    after++
  return {
    start: start + before,
    end: end - after,
    replacement: replacement.slice(before, replacement.length - after),
  }
}

/** Gives new lines the line ends of the lines that they replace. */
function withLineEnds(text: string, removed: string, near: () => string): string {
  if (!text.includes('\n')) return text
  const ends = removed.match(/\r?\n/g) ?? [near()]
  let index = 0
  return text.replaceAll('\n', () => ends[Math.min(index++, ends.length - 1)]!)
}

function lineEndNear(whole: string, place: number): string {
  const before = whole.lastIndexOf('\n', place - 1)
  const at = before >= 0 && place > 0 ? before : whole.indexOf('\n', place)
  return at > 0 && whole[at - 1] === '\r' ? '\r\n' : '\n'
}
