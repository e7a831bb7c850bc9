import { explain, type Malformed, type ParserOptions } from '@toolglot/core'
import type { Colors } from '../terminal.ts'
import { block } from './block.ts'
import { position, showPlace } from './place.ts'
import { visibleLine } from './visible.ts'

/** A block that began as a call and could not be read: what is wrong with it, and where. */
export function showMalformed(
  text: string,
  { raw, problem, hint, span }: Malformed,
  { colors, options }: { colors: Colors; options: ParserOptions },
): string {
  // The block by itself: what came before the reply is not before it.
  const [best] = explain(raw, { ...options, prefix: '', startsInReasoning: false })
  const at = span[0] + (best?.furthest?.at ?? 0)

  return block('malformed', colors.red, [
    `${colors.bold(problem)}  ${colors.dim(position(text, at))}`,
    ...showPlace(text, [at, at + 1], colors),
    visibleLine(hint),
  ])
}
