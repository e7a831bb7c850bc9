import type { RunStatistics } from '@toolglot/agent/journal'
import { visibleLine } from '@toolglot/workspace/internal'
import type { Colors } from '../terminal.ts'
import { table, displayWidth, truncate } from './text/table.ts'

/** Options for showing statistics. */
export interface StatisticsOptions {
  readonly colors: Pick<Colors, 'bold' | 'dim'>
  readonly columns: number
}

/** Statistics for people: by tool, model and protocol, the most used first. */
export function showStatistics(found: RunStatistics, options: StatisticsOptions): string {
  const { runs, ends, approvals, tools, models, protocols } = found
  if (runs === 0) return 'There are no runs to count.\n'
  const { asked, allowed, denied } = approvals
  const head = [
    `${count(runs, 'run')}: ${counts(byCount(ends))}`,
    ...(asked > 0
      ? [`${count(asked, 'approval')} asked: ${allowed} allowed, ${denied} denied`]
      : []),
  ]
  return [
    head.map((line) => `${line}\n`).join(''),
    section(toolColumns, byNumber(tools, 'calls'), options),
    section(modelColumns, byNumber(models, 'turns'), options),
    section(protocolColumns, byNumber(protocols, 'turns'), options),
  ]
    .filter((text) => text !== '')
    .join('\n')
}

/** The titles of the columns, and the text of each cell. */
type Columns<Item> = readonly (readonly [title: string, cell: (item: Item) => string])[]

type Tool = RunStatistics['tools'][number]
type Replies = RunStatistics['models'][number]
type Durations = Tool['duration']

const toolColumns: Columns<Tool> = [
  ['tool', ({ name }) => shortName(name)],
  ['calls', ({ calls }) => String(calls)],
  ['failed', ({ failed }) => some(failed)],
  ['denied', ({ denied }) => some(denied)],
  ['median', ({ duration }) => median(duration)],
  ['longest', ({ duration }) => (duration.count === 0 ? '' : time(duration.max))],
  ['errors', ({ errors }) => counts(byCount(errors))],
]

const modelColumns: Columns<Replies> = [
  ['model', ({ name }) => shortName(name)],
  ['turns', ({ turns }) => String(turns)],
  ['input', ({ usage }) => `${usage.estimated ? '~' : ''}${short(usage.input)}`],
  ['cached', ({ usage }) => some(usage.cached ?? 0)],
  ['output', ({ usage }) => short(usage.output)],
  ['cost', ({ usage }) => (usage.cost === undefined ? '' : usage.cost.toFixed(4))],
  ['first', ({ firstToken }) => median(firstToken)],
  ['reply', ({ duration }) => median(duration)],
]

const protocolColumns: Columns<Replies> = [
  ['protocol', ({ name }) => shortName(name)],
  ['turns', ({ turns }) => String(turns)],
  ['calls', ({ calls }) => String(calls)],
  ['malformed', ({ malformed }) => some(malformed)],
  ['repaired', ({ repaired }) => some(repaired)],
  ['repairs', ({ repairs }) => counts(byCount(repairs))],
]

/** A table with titles, without the columns that would be empty. Numbers are aligned to the right. */
function section<Item>(
  all: Columns<Item>,
  items: readonly Item[],
  { colors, columns: edge }: StatisticsOptions,
): string {
  if (items.length === 0) return ''
  const shown = items.slice(0, MAX_ROWS)
  const columns = all.filter(([, cell]) => shown.some((item) => cell(item) !== ''))
  const rows = [
    columns.map(([title]) => title),
    ...shown.map((item) => columns.map(([, cell]) => cell(item))),
  ]
  const widths = columns.map((_, at) => Math.max(...rows.map((row) => displayWidth(row[at]!))))
  const aligned = rows.map((row) =>
    row.map((cell, at) =>
      at === 0 || LISTS.has(columns[at]![0]) ? cell : cell.padStart(widths[at]!),
    ),
  )
  const { bold, dim } = colors
  const list = table(
    aligned,
    (cell, row, column) => (row === 0 ? dim(cell) : column === 0 ? bold(cell) : cell),
    edge,
  )
  const left = items.length - shown.length
  return left > 0 ? `${list}${dim(`and ${left} more: --json shows all`)}\n` : list
}

const MAX_ROWS = 20
/** The columns with text, which is aligned to the left. */
const LISTS: ReadonlySet<string> = new Set(['errors', 'repairs'])

function shortName(name: string): string {
  return truncate(visibleLine(name), 30)
}

/** Counts by name, such as `3 answer, 1 loop`. */
function counts(all: RunStatistics['ends']): string {
  const shown = all.slice(0, MAX_NAMES).map(({ name, count }) => `${count} ${shortName(name)}`)
  return [...shown, ...(all.length > MAX_NAMES ? ['…'] : [])].join(', ')
}

const MAX_NAMES = 5

function byCount(all: RunStatistics['ends']): RunStatistics['ends'] {
  return byNumber(all, 'count')
}

/** Sorted by a number, the largest first. */
function byNumber<Key extends string, Item extends Readonly<Record<Key, number>>>(
  items: readonly Item[],
  key: Key,
): Item[] {
  return [...items].sort((one, other) => other[key] - one[key])
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`
}

/** A number, or an empty string for zero, so that the other numbers stand out. */
function some(number: number): string {
  return number === 0 ? '' : short(number)
}

/** A number with at most four digits: `12k`, `3.4M`. */
function short(number: number): string {
  if (number < 10_000) return String(Math.round(number))
  const [size, unit] = number < 1e6 ? [1e3, 'k'] : number < 1e9 ? [1e6, 'M'] : [1e9, 'G']
  const scaled = number / size
  return `${scaled < 100 ? scaled.toFixed(1) : Math.round(scaled)}${unit}`
}

function median(durations: Durations): string {
  return durations.count === 0 ? '' : time(durations.median)
}

function time(milliseconds: number): string {
  if (milliseconds < 1000) return `${milliseconds} ms`
  if (milliseconds < 120_000) return `${(milliseconds / 1000).toFixed(1)} s`
  return `${Math.round(milliseconds / 60_000)} min`
}
