import type { ToolOutcome } from '@toolglot/agent'
import { visibleLine } from '@toolglot/workspace/internal'
import type { Colors } from '../../terminal.ts'
import { truncate } from '../text/table.ts'
import type { Page } from './page.ts'
import type { UndoneFile } from '@toolglot/tools/internal'

/** How to show a result. */
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

/** A unified diff in color, without its header. Lines after the first `maxLines` are only counted. */
export function showDiff(
  diff: string,
  { colors, columns, maxLines = 40 }: { colors: Colors; columns: number; maxLines?: number },
): string[] {
  const { green, red, dim } = colors
  const lines = diff.split('\n').filter((line, at) => at > 1 || !/^(---|\+\+\+) /.test(line))
  const shown = lines.slice(0, maxLines).map((line) => {
    const text = truncate(visibleLine(line.replaceAll('\t', '  ')), columns)
    if (line.startsWith('+')) return green(text)
    return line.startsWith('-') ? red(text) : dim(text)
  })
  const left = lines.length - maxLines
  return left > 0 ? [...shown, dim(`… ${left} more lines`)] : shown
}

/** The output of a running command: the first lines stay on the screen, then only the latest is shown. */
export interface LiveOutput {
  write(text: string): void
  end(): void
}

/** Shows at most `maxLines` lines of output on a page. */
export function createLiveOutput({
  page,
  dim,
  columns,
  maxLines = 12,
}: {
  readonly page: Page
  readonly dim: (text: string) => string
  readonly columns: number
  readonly maxLines?: number
}): LiveOutput {
  let count = 0
  let open = ''
  const line = (text: string): string =>
    dim(`  │ ${truncate(visibleLine(text.replaceAll('\t', '  ')), columns - 5)}`)

  function add(lines: readonly string[]): void {
    const room = Math.max(0, maxLines - count)
    count += lines.length
    page.block('call', lines.slice(0, room).map(line))
    if (lines.length > room) page.setStatus(`  │ ${visibleLine(lines.at(-1)!.slice(0, 400))}`)
  }

  return {
    write(text) {
      const lines = (open + text.replaceAll('\r\n', '\n')).split('\n')
      open = lines.pop()!.slice(-MAX_LINE_LENGTH)
      if (lines.length > 0) add(lines)
    },
    end() {
      if (open !== '') add([open])
      open = ''
      if (count > maxLines) page.block('call', [dim(`  … ${count - maxLines} more lines`)])
    },
  }
}

/** How much of an unfinished line is kept, in characters. */
const MAX_LINE_LENGTH = 4000

/** The effect of undo on a file. */
export function showUndone({ path, status, why }: UndoneFile): string {
  return `${status.padEnd(9)}  ${visibleLine(path)}${why === undefined ? '' : `  ${why}`}\n`
}
