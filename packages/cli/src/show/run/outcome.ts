import type { ToolOutcome } from '@toolglot/agent'
import { visibleLine } from '@toolglot/workspace/internal'
import type { Colors } from '../../terminal.ts'
import { cut } from '../width.ts'
import { showDiff } from './diff.ts'

export interface OutcomeOptions {
  readonly colors: Colors
  readonly columns: number
  /** Its output was shown as it came. */
  readonly wasLive?: boolean
  /** What it would change was shown before. */
  readonly wasAsked?: boolean
}

/** What became of a call, in a few lines. */
export function showOutcome(outcome: ToolOutcome, options: OutcomeOptions): string[] {
  const { colors, columns, wasLive = false, wasAsked = false } = options
  const { status, text, data, duration } = outcome
  const { red, yellow, dim } = colors
  if (status !== 'success') {
    const paint = status === 'error' ? red : yellow
    return [paint(cut(visibleLine(`${WORDS[status]}${firstLine(text)}`), columns))]
  }
  const diff = (data as { diff?: unknown } | undefined)?.diff
  if (typeof diff === 'string' && diff !== '') {
    const done = dim(cut(visibleLine(firstLine(text)), columns))
    return wasAsked ? [done] : [done, ...showDiff(diff, { colors, columns })]
  }
  const time = duration >= 1000 ? `  ${(duration / 1000).toFixed(1)} s` : ''
  if (wasLive) {
    const how = `${exitOf(data)}${time}`.trim()
    return how === '' ? [] : [dim(how)]
  }
  const lines = text.slice(0, LONGEST).replace(/\n+$/, '').split('\n')
  const shown = lines
    .slice(0, MAX)
    .map((line) => dim(cut(visibleLine(line.replaceAll('\t', '  ')), columns)))
  const left = text.split('\n', MAX_COUNTED).length - MAX
  if (left > 0) shown.push(dim(`… ${left}${left > MAX_COUNTED / 2 ? '+' : ''} more lines${time}`))
  return shown
}

const WORDS: Record<Exclude<ToolOutcome['status'], 'success'>, string> = {
  error: '',
  denied: '',
  cancelled: 'stopped: ',
  timeout: 'too slow: ',
  unknown: '',
}

const MAX = 4
const LONGEST = 10_000
const MAX_COUNTED = 100_000

function firstLine(text: string): string {
  return text.slice(0, LONGEST).split('\n', 1)[0]!
}

function exitOf(data: unknown): string {
  const code = (data as { exit_code?: unknown } | undefined)?.exit_code
  return typeof code === 'number' && code !== 0 ? `exit code ${code}` : ''
}
