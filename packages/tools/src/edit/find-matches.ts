import { findAll } from './find-all.ts'
import { matchIndentation } from './indentation.ts'
import type { EditMatch, Matcher, WantedEdit } from './matcher.ts'
import { matchPunctuation } from './punctuation.ts'
import { blockMatch, findBlocks } from './block.ts'
import { linesOf } from './lines.ts'

/** How old text was found: exactly, or ignoring a difference of this kind. */
export type MatchKind = 'exact' | 'trailing whitespace' | 'indentation' | 'punctuation'

/** Ways to find text that was copied with small mistakes, in the order they are tried. */
const LENIENT: readonly (readonly [MatchKind, Matcher])[] = [
  ['trailing whitespace', matchTrailingWhitespace],
  ['indentation', matchIndentation],
  ['punctuation', matchPunctuation],
]

/** The places that an edit may apply to. */
export interface FoundMatches {
  readonly how: MatchKind
  readonly matches: readonly EditMatch[]
}

/** Finds where an edit applies: exactly if possible; else leniently, unless all places are to be replaced. */
export function findMatches(text: string, wanted: WantedEdit, all: boolean): FoundMatches {
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

/** Matches whole lines that differ from the old lines only in trailing whitespace. */
function matchTrailingWhitespace(text: string, wanted: WantedEdit): EditMatch[] {
  const lines = linesOf(text)
  const blocks = findBlocks(lines, wanted.old.split('\n'), (line) => line.trimEnd())
  return blocks.slice(0, 2).flatMap((block) => blockMatch(lines, block, wanted) ?? [])
}
