import type { Match } from './matcher.ts'

/** Text with plain line ends, and the way back to the text it was made of. */
export interface Flat {
  readonly text: string
  /** Where a place in it is in the whole text. */
  original(place: number): number
}

export function flatten(whole: string): Flat {
  if (!whole.includes('\r\n')) return { text: whole, original: (place) => place }
  // The places, in the plain text, of the line feeds that had a return before them.
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

/** Puts the replacements in their places. What they leave alone, and every line end, stays as it was. */
export function applyMatches(whole: string, flat: Flat, matches: readonly Match[]): string {
  const parts: string[] = []
  let done = 0
  for (const match of matches) {
    const { start, end, replacement } = narrowed(flat.text, match)
    const from = flat.original(start)
    const to = flat.original(end)
    const removed = whole.slice(from, to)
    parts.push(
      whole.slice(done, from),
      withEnds(replacement, removed, () => endNear(whole, from)),
    )
    done = to
  }
  return parts.join('') + whole.slice(done)
}

/** A change without what is the same before and after it. */
function narrowed(text: string, { start, end, replacement }: Match): Match {
  const most = Math.min(end - start, replacement.length)
  let before = 0
  while (before < most && text[start + before] === replacement[before]) before++
  let after = 0
  while (
    after < most - before &&
    text[end - 1 - after] === replacement[replacement.length - 1 - after]
  )
    after++
  return {
    start: start + before,
    end: end - after,
    replacement: replacement.slice(before, replacement.length - after),
  }
}

/** New text whose lines end as those that they take the place of. */
function withEnds(text: string, removed: string, near: () => string): string {
  if (!text.includes('\n')) return text
  const ends = removed.match(/\r?\n/g) ?? [near()]
  let index = 0
  return text.replaceAll('\n', () => ends[Math.min(index++, ends.length - 1)]!)
}

function endNear(whole: string, place: number): string {
  const before = whole.lastIndexOf('\n', place - 1)
  const at = before >= 0 && place > 0 ? before : whole.indexOf('\n', place)
  return at > 0 && whole[at - 1] === '\r' ? '\r\n' : '\n'
}
