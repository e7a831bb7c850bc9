import type { Segment } from '@toolglot/core'
import type { Colors } from '../terminal.ts'
import { visible } from '@toolglot/workspace/internal'

/** The wire text itself, each segment painted by its kind, behind a bar. */
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

/** Line by line, so that no colour runs into the bar. */
function paintLines(text: string, paint: (line: string) => string): string {
  return text
    .split('\n')
    .map((line) => (line === '' ? '' : paint(line)))
    .join('\n')
}
