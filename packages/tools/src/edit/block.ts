import { findAll } from './find-all.ts'
import type { Lines } from './lines.ts'
import type { EditMatch, WantedEdit } from './matcher.ts'

/** Whole lines of a text that may be the old lines. */
export interface Block {
  readonly first: number
  /** As many as the old lines, with an empty last one if those end with a line break. */
  readonly lines: readonly string[]
}

/** With more candidates the edit is ambiguous anyway. */
const MAX_BLOCKS = 20

/** Finds whole lines that equal the old lines after applying `key` to each. */
export function findBlocks(
  text: Lines,
  oldLines: readonly string[],
  key: (line: string) => string,
): Block[] {
  const trailing = oldLines.length > 1 && oldLines.at(-1) === '' ? 1 : 0
  const wanted = oldLines.slice(0, oldLines.length - trailing).map(key)
  const found = findAll(text.texts.map(key), wanted, { max: MAX_BLOCKS })
  return found
    .filter((first) => first + wanted.length + trailing <= text.texts.length)
    .map((first) => ({
      first,
      lines: [...text.texts.slice(first, first + wanted.length), ...(trailing ? [''] : [])],
    }))
}

/**
 * Replaces a block with new lines. Lines that the edit does not change keep the block's own form; `adapt` converts the others,
 * and there is no match if it cannot.
 */
export function blockMatch(
  { starts }: Lines,
  block: Block,
  { old, replacement }: WantedEdit,
  adapt: (line: string) => string | undefined = (line) => line,
): EditMatch | undefined {
  const oldLines = old.split('\n')
  const newLines = replacement.split('\n')
  const max = Math.min(oldLines.length, newLines.length)
  let before = 0
  while (before < max && oldLines[before] === newLines[before]) before++
  let after = 0
  while (after < max - before && oldLines.at(-1 - after) === newLines.at(-1 - after)) after++

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
