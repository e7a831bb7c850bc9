import type { Span } from '@toolglot/core'
import type { Colors } from '../terminal.ts'
import { visibleLine } from '@toolglot/workspace/internal'
import { width } from './width.ts'

/**
 * The line of a text in which a span begins, with carets under it.
 *
 *     {"city": Hanoi}
 *              ^~~~~
 */
export function showPlace(text: string, span: Span, colors: Colors): string[] {
  const { before, marked, after } = around(text, span)
  const carets = `^${'~'.repeat(Math.max(0, width(marked) - 1))}`
  return [
    `${before}${colors.red(marked)}${after}`,
    `${' '.repeat(width(before))}${colors.red(carets)}`,
  ]
}

/** The line and column of a place, counted from one as editors do. */
export function position(text: string, at: number): string {
  let line = 1
  let start = 0
  for (let next = text.indexOf('\n'); next >= 0 && next < at; next = text.indexOf('\n', start)) {
    line++
    start = next + 1
  }
  return `line ${line}, column ${at - start + 1}`
}

const most = { before: 60, marked: 40, after: 30 }

function around(text: string, [from, to]: Span): Record<'before' | 'marked' | 'after', string> {
  const lineStart = text.lastIndexOf('\n', from - 1) + 1
  const lineEnd = endOfLine(text, from)
  const start = whole(text, Math.max(lineStart, from - most.before))
  const markedEnd = whole(text, Math.min(lineEnd, Math.max(to, from), from + most.marked))
  const end = whole(text, Math.min(lineEnd, markedEnd + most.after))

  return {
    before: (start > lineStart ? '…' : '') + visibleLine(text.slice(start, from)),
    marked: visibleLine(text.slice(from, markedEnd)),
    after: visibleLine(text.slice(markedEnd, end)) + (end < lineEnd ? '…' : ''),
  }
}

/** Does not look through all of a reply that is one long line. */
function endOfLine(text: string, from: number): number {
  const limit = Math.min(text.length, from + most.marked + most.after + 1)
  const end = text.slice(from, limit).indexOf('\n')
  return end < 0 ? limit : from + end
}

/** Never between the halves of a character. */
function whole(text: string, at: number): number {
  const code = text.charCodeAt(at)
  return code >= 0xdc00 && code <= 0xdfff ? at + 1 : at
}
