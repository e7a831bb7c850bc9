import { findAll } from './find-all.ts'
import { matchIndentation } from './indentation.ts'
import type { Match, Matcher, Wanted } from './matcher.ts'
import { matchPunctuation } from './punctuation.ts'
import { matchTrailing } from './trailing-whitespace.ts'

export type How = 'exact' | 'trailing whitespace' | 'indentation' | 'punctuation'

/** Ways to find text that was copied a little wrong, in this order. */
const LENIENT: readonly (readonly [How, Matcher])[] = [
  ['trailing whitespace', matchTrailing],
  ['indentation', matchIndentation],
  ['punctuation', matchPunctuation],
]

export interface Matches {
  readonly how: How
  readonly matches: readonly Match[]
}

/** Where a change applies. To the letter first; then, if one place is meant, more leniently. */
export function findMatches(text: string, wanted: Wanted, all: boolean): Matches {
  const { old, replacement } = wanted
  const exact = findAll(text, old, { overlapping: !all })
  if (exact.length > 0 || all || old.trim() === '') {
    const matches = exact.map((start) => ({ start, end: start + old.length, replacement }))
    return { how: 'exact', matches }
  }
  for (const [how, matcher] of LENIENT) {
    const matches = matcher(text, wanted)
    if (matches.length > 0) return { how, matches }
  }
  return { how: 'exact', matches: [] }
}
