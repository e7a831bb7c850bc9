import type { RunSummary } from '@toolglot/agent/journal'
import { type ChosenModel, DEMO, describeProtocol } from '@toolglot/workspace'
import { visibleLine } from '@toolglot/workspace/internal'
import type { Colors } from '../../terminal.ts'
import { wrap } from '../text/table.ts'

/**
 * The model, its call format, and the reason for choosing it. `before`: the run that is resumed.
 */
export function showChosenModel(
  chosen: ChosenModel,
  { bold, dim, yellow }: Colors,
  columns: number,
  before?: Pick<RunSummary, 'model' | 'protocol'>,
): string {
  const { model, why, reference } = chosen
  const { name, label, isGuess } = describeProtocol(chosen, before)
  const by = model.provider === undefined ? '' : dim(` (${visibleLine(model.provider)})`)
  const notes = [
    ...(isGuess
      ? [`Unknown model: using the generic ${name} format. Override with --protocol.`]
      : []),
    ...(reference === DEMO
      ? ['This is a built-in demo script, not an AI. To get a model, see toolglot models.']
      : []),
  ]
  const lines = [
    `${bold(visibleLine(model.name))}${by} ${dim('·')} ${label}`,
    ...wrap(visibleLine(why), columns - 2).map((line) => dim(`  ${line}`)),
    ...notes.flatMap((note) => wrap(`! ${note}`, columns - 1).map((line) => yellow(line))),
  ]
  return lines.map((line) => `${line}\n`).join('')
}
