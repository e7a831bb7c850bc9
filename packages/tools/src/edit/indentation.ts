import { type Block, blockMatch, findBlocks } from './block.ts'
import { linesOf } from './lines.ts'
import type { EditMatch, WantedEdit } from './matcher.ts'

/** Matches whole lines whose indentation differs from the old lines, in the same way for all of them. */
export function matchIndentation(text: string, wanted: WantedEdit): EditMatch[] {
  const oldLines = wanted.old.split('\n')
  const lines = linesOf(text)
  const matches: EditMatch[] = []
  for (const block of findBlocks(lines, oldLines, withoutIndent)) {
    const shift = shiftOf(oldLines, block)
    const match = shift && blockMatch(lines, block, wanted, (line) => shifted(line, shift))
    if (match) matches.push(match)
    if (matches.length === 2) break
  }
  return matches
}

/** Converts indentation in the old text to that in the file; undefined if it cannot. */
type Shift = (indent: string) => string | undefined

function shiftOf(oldLines: readonly string[], { lines }: Block): Shift | undefined {
  const pairs = oldLines
    .map((line, index) => [line, lines[index]!] as const)
    .filter(([line]) => line.trim() !== '')
    .map(([line, own]) => [indentOf(line), indentOf(own)] as const)
  const [first] = pairs
  if (!first) return undefined
  const [from, to] = first
  const shifts: Shift[] = [
    (indent) => to.slice(0, Math.max(0, to.length - from.length)) + indent,
    (indent) => {
      const extra = from.slice(0, Math.max(0, from.length - to.length))
      return indent.startsWith(extra) ? indent.slice(extra.length) : undefined
    },
    ...[2, 4, 8].flatMap((width) => [toTabs(width), toSpaces(width)]),
  ]
  return shifts.find((shift) => pairs.every(([old, own]) => shift(old) === own))
}

function toTabs(width: number): Shift {
  return (indent) =>
    /^ *$/.test(indent) && indent.length % width === 0
      ? '\t'.repeat(indent.length / width)
      : undefined
}

function toSpaces(width: number): Shift {
  return (indent) => (/^\t*$/.test(indent) ? ' '.repeat(indent.length * width) : undefined)
}

function shifted(line: string, shift: Shift): string | undefined {
  if (line.trim() === '') return line
  const indent = shift(indentOf(line))
  return indent === undefined ? undefined : indent + withoutIndent(line)
}

function indentOf(line: string): string {
  return line.slice(0, line.length - withoutIndent(line).length)
}

function withoutIndent(line: string): string {
  return line.trimStart()
}
