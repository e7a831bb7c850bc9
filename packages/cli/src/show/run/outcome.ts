import type { ToolOutcome } from '@toolglot/agent'
import { visibleLine } from '@toolglot/workspace/internal'
import type { Colors } from '../../terminal.ts'
import { truncate } from '../text/table.ts'
import { showDiff } from './diff.ts'

/** Options for showing a result. */
interface OutcomeOptions {
  readonly colors: Colors
  readonly columns: number
  /** The output was already shown as it arrived. */
  readonly wasLive?: boolean
  /** The change was already shown in an approval request. */
  readonly wasAsked?: boolean
}

/** The result of a call, in a few lines, and all of its warnings. */
export function showOutcome(outcome: ToolOutcome, options: OutcomeOptions): string[] {
  const { yellow } = options.colors
  const warnings = warningsOf(outcome.data).map((each) => yellow(`! ${visibleLine(each)}`))
  return [...showResult(outcome, options), ...warnings]
}

function showResult(outcome: ToolOutcome, options: OutcomeOptions): string[] {
  const { colors, columns, wasLive = false, wasAsked = false } = options
  const { status, text, data, duration } = outcome
  const { red, yellow, dim } = colors
  if (status !== 'success') {
    const paint = status === 'error' ? red : yellow
    return [paint(truncate(visibleLine(`${LABELS[status]}${firstLine(text)}`), columns))]
  }
  const diff = (data as { diff?: unknown } | undefined)?.diff
  if (typeof diff === 'string' && diff !== '') {
    const done = dim(truncate(visibleLine(firstLine(text)), columns))
    return wasAsked ? [done] : [done, ...showDiff(diff, { colors, columns })]
  }
  const time = duration >= 1000 ? `  ${(duration / 1000).toFixed(1)} s` : ''
  if (wasLive) {
    const end = `${exitOf(data)}${time}`.trim()
    return end === '' ? [] : [dim(end)]
  }
  const warnings = warningsOf(data)
  const all = text.slice(0, MAX_CHARACTERS).replace(/\n+$/, '').split('\n')
  const lines = all.filter((line) => !warnings.includes(line))
  const shown = lines
    .slice(0, MAX_LINES)
    .map((line) => dim(truncate(visibleLine(line.replaceAll('\t', '  ')), columns)))
  const left = text.split('\n', MAX_COUNTED).length - (all.length - lines.length) - MAX_LINES
  if (left > 0) shown.push(dim(`… ${left}${left > MAX_COUNTED / 2 ? '+' : ''} more lines${time}`))
  return shown
}

const LABELS: Record<Exclude<ToolOutcome['status'], 'success'>, string> = {
  error: '',
  denied: '',
  cancelled: 'stopped: ',
  timeout: 'timed out: ',
  unknown: '',
  duplicate: 'repeated: ',
  cut_off: '',
  not_run: '',
}

const MAX_LINES = 4
const MAX_CHARACTERS = 10_000
const MAX_COUNTED = 100_000

function firstLine(text: string): string {
  return text.slice(0, MAX_CHARACTERS).split('\n', 1)[0]!
}

/** Notes on a result for the user. */
function warningsOf(data: unknown): string[] {
  const { warnings } = Object(data) as { warnings?: unknown }
  return Array.isArray(warnings) ? warnings.filter((each) => typeof each === 'string') : []
}

function exitOf(data: unknown): string {
  const code = (data as { exit_code?: unknown } | undefined)?.exit_code
  return typeof code === 'number' && code !== 0 ? `exit code ${code}` : ''
}
