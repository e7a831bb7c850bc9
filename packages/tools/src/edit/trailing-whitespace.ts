import { blockMatch, findBlocks } from './block.ts'
import { linesOf } from './lines.ts'
import type { Match, Wanted } from './matcher.ts'

/** Whole lines that differ from the old ones only in blanks at their ends. */
export function matchTrailing(text: string, wanted: Wanted): Match[] {
  const lines = linesOf(text)
  const blocks = findBlocks(lines, wanted.old.split('\n'), (line) => line.trimEnd())
  return blocks.slice(0, 2).flatMap((block) => blockMatch(lines, block, wanted) ?? [])
}
