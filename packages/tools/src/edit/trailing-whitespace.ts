import { blockMatch, findBlocks } from './block.ts'
import { linesOf } from './lines.ts'
import type { EditMatch, WantedEdit } from './matcher.ts'

/** Matches whole lines that differ from the old lines only in trailing whitespace. */
export function matchTrailingWhitespace(text: string, wanted: WantedEdit): EditMatch[] {
  const lines = linesOf(text)
  const blocks = findBlocks(lines, wanted.old.split('\n'), (line) => line.trimEnd())
  return blocks.slice(0, 2).flatMap((block) => blockMatch(lines, block, wanted) ?? [])
}
