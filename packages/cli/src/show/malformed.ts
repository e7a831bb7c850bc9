import type { Malformed } from '@toolglot/core'
import type { Colors } from '../terminal.ts'
import { block } from './block.ts'
import { position, showPlace } from './place.ts'
import { visibleLine } from './visible.ts'

/** A block that began as a call and could not be read: where, and what is wrong with it. */
export function showMalformed(
  text: string,
  { problem, hint, span }: Malformed,
  colors: Colors,
): string {
  return block('malformed', colors.red, [
    `${colors.bold(problem)}  ${colors.dim(position(text, span[0]))}`,
    ...showPlace(text, span, colors),
    visibleLine(hint),
  ])
}
