import type { Decision, DecisionPart, NetworkNotice, RuleSuggestion } from '@toolglot/permissions'
import { visibleLine } from '@toolglot/workspace/internal'
import type { Colors } from '../../terminal.ts'
import { noticesOf, placeOf } from '../decision.ts'
import { showArguments } from '../reply/call.ts'
import { displayWidth, wrap } from '../text/table.ts'
import { showDiff } from './diff.ts'

/** All effects of a call, with the verdict on each, and the effect of "always". */
export interface JudgedParts extends Pick<Decision, 'parts' | 'unprinted' | 'code'> {
  readonly suggestions: readonly RuleSuggestion[]
}

/** A call that needs approval. */
export interface RequestedCall extends JudgedParts, Pick<Decision, 'runs'> {
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
  /** The limit on its network access, if any. */
  readonly network?: NetworkNotice
}

/** Options for showing an approval request, including the preview of the change if it is known. */
export interface RequestOptions {
  readonly colors: Colors
  readonly columns: number
  readonly diff?: string
}

/**
 * The call to approve: the effect of each part, the reason for asking, and the rule that "always"
 * would add or the reason why there is none; then the change. Long lines are not cut off at the
 * edge of the screen, because users must see the whole call before they approve it.
 */
export function showRequest(
  { name, args, ...judged }: RequestedCall,
  { colors, columns, diff }: RequestOptions,
): string {
  const { yellow } = colors
  const lines = [
    ...showParts(judged, { colors, columns: columns - 2 }),
    ...limitLines(
      diff
        ? showDiff(diff, { colors, columns: Infinity, maxLines: Infinity })
        : fitsCallLine(name, args, columns)
          ? []
          : showArguments(args, colors),
      yellow,
    ),
  ]
  return lines.map((line) => `  ${line}\n`).join('')
}

/**
 * The effect of each part of a call, the reason for asking, and the rule that "always" would add or
 * the reason why there is none.
 */
export function showParts(
  { parts, suggestions, unprinted, code }: JudgedParts,
  { colors, columns }: { readonly colors: Colors; readonly columns: number },
): string[] {
  const room = Math.max(20, Math.min(columns, 118) - 2)
  return [
    ...withSuggestions(parts, suggestions).flatMap((part) => partLines(part, colors, room)),
    ...noticesOf({ unprinted, code }).flatMap((notice) => wrap(notice, room)),
  ]
}

/** A part of a call, and the effect of "always". */
type ShownPart = Pick<DecisionPart, 'what' | 'verdict' | 'why' | 'rule'> & {
  readonly suggestion?: RuleSuggestion | undefined
}

/**
 * The parts with their suggestions. Suggestions are about the parts that need approval or, if no
 * part does, about the whole call.
 */
function withSuggestions(
  parts: readonly DecisionPart[],
  suggestions: readonly RuleSuggestion[],
): ShownPart[] {
  const left = [...suggestions]
  const shown = parts.map((part) =>
    part.verdict === 'ask' ? { ...part, suggestion: left.shift() } : part,
  )
  const rest = left.map(({ what, ...each }): ShownPart => ({
    what,
    verdict: 'ask',
    why: 'reason' in each ? each.reason : '',
  }))
  return [...shown, ...rest]
}

function partLines(part: ShownPart, { yellow, green, red, dim }: Colors, room: number): string[] {
  const paint = { allow: green, ask: yellow, deny: red }[part.verdict]
  return [
    ...wrap(visibleLine(part.what), room - 2).map(
      (line, at) => `${at === 0 ? paint(MARKS[part.verdict]) : ' '} ${line}`,
    ),
    ...reasonsOf(part).flatMap((reason) =>
      wrap(visibleLine(reason), room - 2).map((line) => `  ${dim(line)}`),
    ),
    ...(part.suggestion && 'rule' in part.suggestion
      ? wrap(visibleLine(`always: ${part.suggestion.rule}`), room - 2).map((line) => `  ${line}`)
      : []),
  ]
}

function reasonsOf({ rule, why, suggestion }: ShownPart): string[] {
  if (rule) return [`${rule.text}${placeOf(rule)}`]
  if (!suggestion) return [why]
  // The rule that would allow it is suggested separately, or should not be added.
  const plain = reasonAlone(why)
  if ('rule' in suggestion) return [plain]
  const { reason } = suggestion
  return [...(plain.includes(reason) ? [] : [plain]), `asks each time: ${reason}`]
}

/** Removes the rule that would allow a part from the reason. */
export function reasonAlone(why: string): string {
  return why.replace(/; (?:the rule|only an exact rule such as) .* would(?: allow it)?$/s, '')
}

/**
 * True if the call's one-line form shows all its arguments, which is certain only for one short
 * text.
 */
function fitsCallLine(name: string, args: RequestedCall['args'], columns: number): boolean {
  const [only, ...more] = Object.values(args)
  if (more.length > 0 || (only !== undefined && typeof only !== 'string')) return false
  const room = Math.min(columns, 120) - Math.min(displayWidth(visibleLine(name)), 40) - 5
  return only === undefined || displayWidth(visibleLine(only)) <= room
}

/** At most MAX_LINES lines, which is more than users read, and a note if lines are omitted. */
function limitLines(lines: readonly string[], paint: (text: string) => string): readonly string[] {
  const left = lines.length - MAX_LINES
  return left > 0
    ? [...lines.slice(0, MAX_LINES), paint(`… ${left} more lines are not shown`)]
    : lines
}

const MAX_LINES = 10_000

const MARKS = { allow: '✓', ask: '?', deny: '✗' } as const
