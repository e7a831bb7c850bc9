import type { Question } from '@toolglot/agent'
import { visible, visibleLine } from '@toolglot/workspace/internal'
import type { Colors } from '../../terminal.ts'
import { table } from '../text/table.ts'

/** A model's question with its numbered answers; the last one is a free answer. */
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
