import type { ApprovalRequest, Part } from '@toolglot/agent'
import type { Colors } from '../../terminal.ts'
import { placeOf } from '../decision.ts'
import { visibleLine } from '../visible.ts'
import { cut } from '../width.ts'
import { wrap } from '../wrap.ts'
import { showDiff } from './diff.ts'

export interface RequestOptions {
  readonly colors: Colors
  readonly columns: number
  readonly diff?: string
}

/** What a person is asked about: what each part would do and why it asks, the change, and what "always" would allow. */
export function showRequest(
  { decision, always }: Pick<ApprovalRequest, 'decision' | 'always'>,
  { colors, columns, diff }: RequestOptions,
): string {
  const { dim } = colors
  const room = Math.max(20, Math.min(columns, 120) - 4)
  const lines = [
    ...decision.parts.flatMap((part) => partLines(part, colors, room)),
    ...(diff ? showDiff(diff, { colors, columns: room }) : []),
    ...(always.length > 0
      ? [dim('always allows, until this ends:'), ...always.map((rule) => `  ${visibleLine(rule)}`)]
      : []),
  ]
  return lines.map((line) => `  ${line}\n`).join('')
}

function partLines(part: Part, { yellow, green, red, dim }: Colors, room: number): string[] {
  const paint = { allow: green, ask: yellow, deny: red }[part.verdict]
  const { rule, why } = part
  const reason = rule ? `${rule.text}${placeOf(rule)}` : why
  return [
    `${paint(MARKS[part.verdict])} ${cut(visibleLine(part.what), room - 2)}`,
    ...wrap(visibleLine(reason), room - 2).map((line) => `  ${dim(line)}`),
  ]
}

const MARKS = { allow: '✓', ask: '?', deny: '✗' } as const
