import type { Colors } from '../../terminal.ts'
import { toJson } from '../text/json.ts'
import { visibleLine } from '@toolglot/workspace/internal'
import { truncate } from '../text/width.ts'

/** A call on one line: the tool, its main argument, and the others. */
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
 * The command is the main argument, or else the first string that does not merely describe the call: whoever wrote it also chose
 * the order. Long arguments are omitted: the result shows them better.
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
