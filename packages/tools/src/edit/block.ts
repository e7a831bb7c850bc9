import { findAll } from './find-all.ts'
import type { Lines } from './lines.ts'
import type { Match, Wanted } from './matcher.ts'

/** Whole lines of a text that stand where the old lines are looked for. */
export interface Block {
  readonly first: number
  /** As many as the old lines, with an empty one behind a line end. */
  readonly lines: readonly string[]
}

/** More places than this are too many to tell which is meant. */
const MAX_BLOCKS = 20

/** Where whole lines stand that are the old ones, as far as `key` tells. */
export function findBlocks(
  text: Lines,
  oldLines: readonly string[],
  key: (line: string) => string,
): Block[] {
  const behind = oldLines.length > 1 && oldLines.at(-1) === '' ? 1 : 0
  const wanted = oldLines.slice(0, oldLines.length - behind).map(key)
  const found = findAll(text.texts.map(key), wanted, { most: MAX_BLOCKS })
  return found
    .filter((first) => first + wanted.length + behind <= text.texts.length)
    .map((first) => ({
      first,
      lines: [...text.texts.slice(first, first + wanted.length), ...(behind ? [''] : [])],
    }))
}

/** Puts new lines where a block stands; of those that the change leaves alone, the block's own stay. */
export function blockMatch(
  { starts }: Lines,
  block: Block,
  { old, replacement }: Wanted,
  adapt: (line: string) => string | undefined = (line) => line,
): Match | undefined {
  const oldLines = old.split('\n')
  const newLines = replacement.split('\n')
  const most = Math.min(oldLines.length, newLines.length)
  let before = 0
  while (before < most && oldLines[before] === newLines[before]) before++
  let after = 0
  while (after < most - before && oldLines.at(-1 - after) === newLines.at(-1 - after)) after++

  const changed: string[] = []
  for (const line of newLines.slice(before, newLines.length - after)) {
    const adapted = adapt(line)
    if (adapted === undefined) return undefined
    changed.push(adapted)
  }
  const { first, lines } = block
  const kept = lines.slice(lines.length - after)
  const start = starts[first]!
  return {
    start,
    end: start + lines.join('\n').length,
    replacement: [...lines.slice(0, before), ...changed, ...kept].join('\n'),
  }
}
