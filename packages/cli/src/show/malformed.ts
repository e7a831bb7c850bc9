import type { Malformed } from '@toolglot/core'
import type { Colors } from '../terminal.ts'
import { block } from './block.ts'
import { position, showPlace } from './place.ts'
import { visibleLine } from '@toolglot/workspace/internal'

/** A block that began as a call and could not be read: what is wrong with it, and where. */
export function showMalformed(
  text: string,
  { problem, hint, at }: Malformed,
  { colors }: { colors: Colors },
): string {
  return block('malformed', colors.red, [
    `${colors.bold(problem)}  ${colors.dim(position(text, at))}`,
    ...showPlace(text, [at, at + 1], colors),
    visibleLine(hint),
  ])
}
