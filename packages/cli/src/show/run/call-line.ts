import type { Colors } from '../../terminal.ts'
import { toJson } from '../text/json.ts'
import { visibleLine, visible } from '@toolglot/workspace/internal'
import { truncate, table } from '../text/table.ts'
import type { Question, Todo } from '@toolglot/agent'

/** Shows a call on one line: the tool, its main argument, and the other arguments. */
export function showCallLine(
  { name, args }: { readonly name: string; readonly args: Readonly<Record<string, unknown>> },
  { bold, cyan, dim }: Colors,
  columns: number,
): string {
  const { subject, rest } = readArguments(args)
  const tool = truncate(visibleLine(name), 40)
  const room = Math.min(columns, MAX_COLUMNS) - tool.length - 4
  const main = truncate(visibleLine(subject), Math.max(8, room))
  const left = room - main.length - 2
  const more = rest === '' || left < 8 ? '' : `  ${dim(truncate(visibleLine(rest), left))}`
  return `${cyan('→')} ${bold(tool)}${main === '' ? '' : ` ${main}`}${more}`
}

const MAX_COLUMNS = 120

/**
 * The main argument is the command, or else the first string that is not just a description: the
 * author of the call also chose the order. Long arguments are omitted, because the result shows
 * them better.
 */
function readArguments(args: Readonly<Record<string, unknown>>): {
  readonly subject: string
  readonly rest: string
} {
  const entries = Object.entries(args)
  const texts = entries.flatMap(([key, value], at) =>
    typeof value === 'string' ? [{ key, at }] : [],
  )
  const main =
    texts.find(({ key }) => key === 'command') ??
    texts.find(({ key }) => key !== 'description') ??
    texts[0]
  const first = main?.at ?? -1
  const rest = entries
    .filter(([, value], at) => at !== first && !isLong(value))
    .map(([key, value]) => `${key}: ${toJson(value)}`)
  return {
    subject: first < 0 ? '' : (entries[first]![1] as string).slice(0, 1000),
    rest: rest.join(', ').slice(0, 1000),
  }
}

function isLong(value: unknown): boolean {
  if (typeof value === 'string') return value.length > 40 || value.includes('\n')
  return typeof value === 'object' && value !== null
}

/** A model's question with its numbered answers. The last one is a free answer. */
export function showQuestion(
  { question, header, options, multiSelect }: Question,
  { bold, cyan, dim }: Colors,
): string {
  const rows = [
    ...options.map(({ label, description }) => [label, description]),
    ['Other', 'in your own words'],
  ].map((row, at) => [`  ${at + 1}`, ...row.map((cell) => visibleLine(cell))])
  const painted = table(rows, (cell, _, column) => {
    if (column === 0) return cyan(cell)
    return column === 2 ? dim(cell) : cell
  })
  const several = multiSelect ? dim(' (you can choose several)') : ''
  const previews = options.flatMap(({ label, preview }) =>
    preview === undefined ? [] : [`  ${dim(`${visibleLine(label)}:`)}`, ...previewLines(preview)],
  )
  const head = `${cyan('?')} ${bold(visibleLine(header))}  ${visible(question)}${several}\n`
  return `${head}${painted}${previews.map((line) => `${line}\n`).join('')}`
}

function previewLines(preview: string): string[] {
  return visible(preview)
    .split('\n')
    .slice(0, 12)
    .map((line) => `    ${line}`)
}

/** The todo list as a checklist. */
export function showTodos(todos: readonly Todo[], colors: Colors): string[] {
  const { dim, green, bold, strikethrough } = colors
  return todos.map(({ status, content, activeForm }) => {
    const text = visibleLine(content)
    switch (status) {
      case 'completed':
        return `${green('✓')} ${dim(text)}`
      case 'in_progress':
        return `${bold('▸')} ${bold(visibleLine(activeForm))}`
      case 'cancelled':
        return `${dim('✗')} ${dim(strikethrough(text))}`
      case 'pending':
        return `${dim('○')} ${text}`
    }
  })
}
