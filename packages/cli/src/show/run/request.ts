import type { ApprovalRequest, DecisionPart } from '@toolglot/permissions'
import { visibleLine } from '@toolglot/workspace/internal'
import type { Colors } from '../../terminal.ts'
import { placeOf } from '../decision.ts'
import { showArguments } from '../reply/arguments.ts'
import { displayWidth } from '../text/width.ts'
import { wrap } from '../text/wrap.ts'
import { showDiff } from './diff.ts'

/** A call that needs approval. */
export interface RequestedCall extends Pick<ApprovalRequest, 'decision' | 'always'> {
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
}

/** How to show an approval request; with the change it would make, if that is known. */
export interface RequestOptions {
  readonly colors: Colors
  readonly columns: number
  readonly diff?: string
}

/**
 * What the user is asked to approve: what each part would do and why it asks, the change, and what "always" would
 * allow. Nothing is cut off at the edge of the screen: no one should approve what they cannot see.
 */
export function showRequest(
  { decision, always, name, args }: RequestedCall,
  { colors, columns, diff }: RequestOptions,
): string {
  const { dim, yellow } = colors
  const room = Math.max(20, Math.min(columns, 120) - 4)
  const lines = [
    ...decision.parts.flatMap((part) => partLines(part, colors, room)),
    ...limitLines(
      diff
        ? showDiff(diff, { colors, columns: Infinity, maxLines: Infinity })
        : fitsCallLine(name, args, columns)
          ? []
          : showArguments(args, colors),
      yellow,
    ),
    ...(always.length > 0
      ? [
          dim('"always" allows, for this session:'),
          ...always.map((rule) => `  ${visibleLine(rule)}`),
        ]
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

/** Whether the call's one-line form shows all its arguments: certain only for one short text. */
function fitsCallLine(name: string, args: RequestedCall['args'], columns: number): boolean {
  const [only, ...more] = Object.values(args)
  if (more.length > 0 || (only !== undefined && typeof only !== 'string')) return false
  const room = Math.min(columns, 120) - Math.min(displayWidth(visibleLine(name)), 40) - 5
  return only === undefined || displayWidth(visibleLine(only)) <= room
}

/** At most MAX_LINES lines, which is more than anyone reads, and a note if there are more. */
function limitLines(lines: readonly string[], paint: (text: string) => string): readonly string[] {
  const left = lines.length - MAX_LINES
  return left > 0
    ? [...lines.slice(0, MAX_LINES), paint(`… ${left} more lines are not shown`)]
    : lines
}

const MAX_LINES = 10_000

const MARKS = { allow: '✓', ask: '?', deny: '✗' } as const
