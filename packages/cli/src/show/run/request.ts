import type { ApprovalRequest, DecisionPart } from '@toolglot/permissions'
import { visibleLine } from '@toolglot/workspace/internal'
import type { Colors } from '../../terminal.ts'
import { placeOf } from '../decision.ts'
import { showArguments } from '../arguments.ts'
import { width } from '../width.ts'
import { wrap } from '../wrap.ts'
import { showDiff } from './diff.ts'

export interface Asked extends Pick<ApprovalRequest, 'decision' | 'always'> {
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
}

export interface RequestOptions {
  readonly colors: Colors
  readonly columns: number
  readonly diff?: string
}

/**
 * What a person is asked about: what each part would do and why it asks, the change, and what "always" would allow.
 * Nothing of it is cut off at the edge: nobody says yes to what they cannot see.
 */
export function showRequest(
  { decision, always, name, args }: Asked,
  { colors, columns, diff }: RequestOptions,
): string {
  const { dim, yellow } = colors
  const room = Math.max(20, Math.min(columns, 120) - 4)
  const lines = [
    ...decision.parts.flatMap((part) => partLines(part, colors, room)),
    ...firstOf(
      diff
        ? showDiff(diff, { colors, columns: Infinity, most: Infinity })
        : isSeen(name, args, columns)
          ? []
          : showArguments(args, colors),
      yellow,
    ),
    ...(always.length > 0
      ? [dim('always allows, until this ends:'), ...always.map((rule) => `  ${visibleLine(rule)}`)]
      : []),
  ]
  return lines.map((line) => `  ${line}\n`).join('')
}

function partLines(
  part: DecisionPart,
  { yellow, green, red, dim }: Colors,
  room: number,
): string[] {
  const paint = { allow: green, ask: yellow, deny: red }[part.verdict]
  const { rule, why } = part
  const reason = rule ? `${rule.text}${placeOf(rule)}` : why
  return [
    ...wrap(visibleLine(part.what), room - 2).map(
      (line, at) => `${at === 0 ? paint(MARKS[part.verdict]) : ' '} ${line}`,
    ),
    ...wrap(visibleLine(reason), room - 2).map((line) => `  ${dim(line)}`),
  ]
}

/** Whether the line that tells the call holds its arguments: one short text is all that it surely does. */
function isSeen(name: string, args: Asked['args'], columns: number): boolean {
  const [only, ...more] = Object.values(args)
  if (more.length > 0 || (only !== undefined && typeof only !== 'string')) return false
  const room = Math.min(columns, 120) - Math.min(width(visibleLine(name)), 40) - 5
  return only === undefined || width(visibleLine(only)) <= room
}

/** Longer than anybody reads; it is said that there is more. */
function firstOf(lines: readonly string[], paint: (text: string) => string): readonly string[] {
  const left = lines.length - MAX
  return left > 0 ? [...lines.slice(0, MAX), paint(`… ${left} more lines are not shown`)] : lines
}

const MAX = 10_000

const MARKS = { allow: '✓', ask: '?', deny: '✗' } as const
