import type { Segment } from '@toolglot/core'
import type { Colors } from '../../terminal.ts'
import { visible } from '@toolglot/workspace/internal'

/** The wire text itself, each segment in the color of its type, after a bar. */
export function showSegments(text: string, segments: readonly Segment[], colors: Colors): string {
  const bar = colors.dim('│ ')
  return segments
    .map(({ type, span }) => paintLines(visible(text.slice(...span)), painters(colors)[type]))
    .join('')
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => `${bar}${line}`.trimEnd() + '\n')
    .join('')
}

function painters(colors: Colors): Record<Segment['type'], (text: string) => string> {
  return {
    text: (text) => text,
    reasoning: (text) => colors.dim(colors.italic(text)),
    mark: colors.dim,
    call: colors.cyan,
    malformed: colors.red,
    result: colors.yellow,
  }
}

/** Paints line by line, so that no color runs into the bar. */
function paintLines(text: string, paint: (line: string) => string): string {
  return text
    .split('\n')
    .map((line) => (line === '' ? '' : paint(line)))
    .join('\n')
}
