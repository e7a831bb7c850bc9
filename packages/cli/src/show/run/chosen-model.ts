import { type ChosenModel, DEMO, describeProtocol } from '@toolglot/workspace'
import { visibleLine } from '@toolglot/workspace/internal'
import type { Colors } from '../../terminal.ts'
import { wrap } from '../wrap.ts'

/** Who answers, how they write calls, and why it is them. */
export function showChosenModel(
  chosen: ChosenModel,
  { bold, dim, yellow }: Colors,
  columns: number,
): string {
  const { model, why, reference } = chosen
  const { name, isGuess } = describeProtocol(chosen)
  const by = model.provider === undefined ? '' : dim(` (${visibleLine(model.provider)})`)
  const notes = [
    ...(isGuess ? [`nobody knows what it writes, so it is told ${name}: see --protocol`] : []),
    ...(reference === DEMO ? ['a script answers, no AI: toolglot models says how to get one'] : []),
  ]
  const lines = [
    `${bold(visibleLine(model.name))}${by} ${dim('·')} ${name}`,
    ...wrap(visibleLine(why), columns - 2).map((line) => dim(`  ${line}`)),
    ...notes.flatMap((note) => wrap(`! ${note}`, columns - 1).map((line) => yellow(line))),
  ]
  return lines.map((line) => `${line}\n`).join('')
}
