import type { ApprovalRequest, Part } from '@toolglot/agent'
import type { Colors } from '../../terminal.ts'
import { placeOf } from '../decision.ts'
import { visibleLine } from '../visible.ts'
import { showArguments } from '../arguments.ts'
import { wrap } from '../wrap.ts'
import { showDiff } from './diff.ts'

export interface Asked extends Pick<ApprovalRequest, 'decision' | 'always'> {
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
  { decision, always, args }: Asked,
  { colors, columns, diff }: RequestOptions,
): string {
  const { dim } = colors
  const room = Math.max(20, Math.min(columns, 120) - 4)
  const lines = [
    ...decision.parts.flatMap((part) => partLines(part, colors, room)),
    ...(diff ? showDiff(diff, { colors, columns: Infinity, most: MOST }) : wholeOf(args, colors)),
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
    ...wrap(visibleLine(part.what), room - 2).map(
      (line, at) => `${at === 0 ? paint(MARKS[part.verdict]) : ' '} ${line}`,
    ),
    ...wrap(visibleLine(reason), room - 2).map((line) => `  ${dim(line)}`),
  ]
}

/** The arguments, where a line does not hold them. */
function wholeOf(args: Asked['args'], colors: Colors): string[] {
  const isShort = (value: unknown): boolean =>
    typeof value === 'object' && value !== null ? false : !/\n|.{60}/.test(String(value))
  if (Object.values(args).every(isShort)) return []
  const lines = showArguments(args, colors)
  const left = lines.length - MOST
  return left > 0 ? [...lines.slice(0, MOST), `… ${left} more lines`] : lines
}

const MOST = 400

const MARKS = { allow: '✓', ask: '?', deny: '✗' } as const
