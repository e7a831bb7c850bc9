import type { Span } from '@toolglot/core'
import type { Colors } from '../../terminal.ts'
import { visibleLine } from '@toolglot/workspace/internal'
import { displayWidth } from './table.ts'

/**
 * The line in which a span starts, with carets below the span.
 *
 *     {"city": Hanoi}
 *              ^~~~~
 */
export function showPlace(text: string, span: Span, colors: Colors): string[] {
  const { before, marked, after } = around(text, span)
  const carets = `^${'~'.repeat(Math.max(0, displayWidth(marked) - 1))}`
  return [
    `${before}${colors.red(marked)}${after}`,
    `${' '.repeat(displayWidth(before))}${colors.red(carets)}`,
  ]
}

/** The line and column of an offset, counted from one as editors do. */
export function position(text: string, at: number): string {
  let line = 1
  let start = 0
  for (let next = text.indexOf('\n'); next >= 0 && next < at; next = text.indexOf('\n', start)) {
    line++
    start = next + 1
  }
  return `line ${line}, column ${at - start + 1}`
}

const MAX_SHOWN = { before: 60, marked: 40, after: 30 }

function around(text: string, [from, to]: Span): Record<'before' | 'marked' | 'after', string> {
  const lineStart = text.lastIndexOf('\n', from - 1) + 1
  const lineEnd = endOfLine(text, from)
  const start = characterBoundary(text, Math.max(lineStart, from - MAX_SHOWN.before))
  const markedEnd = characterBoundary(
    text,
    Math.min(lineEnd, Math.max(to, from), from + MAX_SHOWN.marked),
  )
  const end = characterBoundary(text, Math.min(lineEnd, markedEnd + MAX_SHOWN.after))

  return {
    before: (start > lineStart ? '…' : '') + visibleLine(text.slice(start, from)),
    marked: visibleLine(text.slice(from, markedEnd)),
    after: visibleLine(text.slice(markedEnd, end)) + (end < lineEnd ? '…' : ''),
  }
}

/** Searches only the visible part: a reply may be one long line. */
function endOfLine(text: string, from: number): number {
  const limit = Math.min(text.length, from + MAX_SHOWN.marked + MAX_SHOWN.after + 1)
  const end = text.slice(from, limit).indexOf('\n')
  return end < 0 ? limit : from + end
}

/** An offset that is not between the two halves of a surrogate pair. */
function characterBoundary(text: string, at: number): number {
  const code = text.charCodeAt(at)
  return code >= 0xdc00 && code <= 0xdfff ? at + 1 : at
}
