import type { Place } from './item.ts'

/** How much of the line is shown before and after a place. */
const BEFORE = 32
const AFTER = 24

/** A place with a little of its line around it. `line` is the number of its line. */
export function excerptAt(text: string, at: number, line: number): Place {
  const start = Math.max(text.lastIndexOf('\n', at - 1) + 1, at - BEFORE)
  const here = text.slice(at, at + 1)
  const lineEnd = text.indexOf('\n', at)
  const end = Math.min(lineEnd < 0 ? text.length : lineEnd, at + 1 + AFTER)
  return {
    at,
    line,
    before: text.slice(start, at),
    here,
    after: here === '\n' ? '' : text.slice(at + 1, end),
  }
}

/** The number of the line that an offset is in, counted from 1. */
export function lineAt(text: string, at: number): number {
  let line = 1
  for (let next = text.indexOf('\n'); next >= 0 && next < at; next = text.indexOf('\n', next + 1))
    line++
  return line
}
