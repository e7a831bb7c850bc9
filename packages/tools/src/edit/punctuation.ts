import { findAll } from './find-all.ts'
import type { Match, Wanted } from './matcher.ts'

/** Text that differs only in how quotes, dashes and blanks are written: `“a”` for `"a"`. */
export function matchPunctuation(text: string, { old, replacement }: Wanted): Match[] {
  const found = findAll(plainPunctuation(text), plainPunctuation(old), { most: 2 })
  const most = Math.min(old.length, replacement.length)
  let before = 0
  while (before < most && old[before] === replacement[before]) before++
  let after = 0
  while (after < most - before && old.at(-1 - after) === replacement.at(-1 - after)) after++

  return found.map((start) => {
    const end = start + old.length
    const changed = replacement.slice(before, replacement.length - after)
    // What the change leaves alone stays as it is in the file.
    const kept = text.slice(start, start + before) + changed + text.slice(end - after, end)
    return { start, end, replacement: kept }
  })
}

/** Each character for one, so that places stay where they are. */
export function plainPunctuation(text: string): string {
  return text.replaceAll(ODD, (character) => PLAIN[character]!)
}

const PLAIN: Readonly<Record<string, string>> = Object.fromEntries(
  [
    ["'", '\u2018\u2019\u201a\u201b\u2032'],
    ['"', '\u201c\u201d\u201e\u201f\u2033'],
    ['-', '\u2010\u2011\u2012\u2013\u2014\u2015\u2212'],
    [' ', '\u00a0\u2002\u2003\u2007\u2009\u202f\u3000'],
  ].flatMap(([plain, odd]) => Array.from(odd!, (character) => [character, plain!])),
)

const ODD = new RegExp(`[${Object.keys(PLAIN).join('')}]`, 'g')
