import { findAll } from './find-all.ts'
import type { EditMatch, WantedEdit } from './matcher.ts'

/** Matches text that differs only in the form of quotes, dashes and spaces: `“a”` for `"a"`. */
export function matchPunctuation(text: string, { old, replacement }: WantedEdit): EditMatch[] {
  const found = findAll(plainPunctuation(text), plainPunctuation(old), { max: 2 })
  const max = Math.min(old.length, replacement.length)
  let before = 0
  while (before < max && old[before] === replacement[before]) before++
  let after = 0
  while (after < max - before && old.at(-1 - after) === replacement.at(-1 - after)) after++

  return found.map((start) => {
    const end = start + old.length
    const changed = replacement.slice(before, replacement.length - after)
    // Text that the edit does not change keeps the file's form.
    const kept = text.slice(start, start + before) + changed + text.slice(end - after, end)
    return { start, end, replacement: kept }
  })
}

/** Replaces typographic quotes, dashes and spaces by ASCII, one for one, so that indexes stay the same. */
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
