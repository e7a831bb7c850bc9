import type { ModelTrial } from '@toolglot/workspace'
import { visible, visibleLine } from '@toolglot/workspace/internal'
import type { Colors } from '../terminal.ts'
import { table } from './text/table.ts'

/** The result of `models test`, for people. */
export function showTrial(trial: ModelTrial, { bold, dim, green, red, yellow }: Colors): string {
  const { first, total, tokens, estimated, perSecond, finish, understood, but, repairs } = trial
  const verdict =
    but === undefined ? red('not understood') : yellow(`understood, but ${visibleLine(but)}`)
  const rows = [
    ['protocol', `${trial.protocol ?? 'native function calling'} (${HOW[trial.by]})`],
    ['first chunk', `${first} ms`],
    ['whole reply', `${total} ms, finish: ${finish}`],
    ['tokens', `${estimated ? 'about ' : ''}${tokens}, ${perSecond} per second`],
    ['call', understood ? green('understood') : verdict],
    ...(repairs.length > 0 ? [['repaired', repairs.join(', ')]] : []),
  ]
  const shown = table(rows, (cell, _, column) => (column === 0 ? bold(cell) : cell))
  if (understood) return shown
  const reply = trial.reply.trim() === '' ? '(nothing)' : trial.reply.slice(0, 2000)
  return `${shown}\n${dim('The model wrote:')}\n${visible(reply)}\n`
}

const HOW: Record<ModelTrial['by'], string> = {
  probe: 'found by toolglot doctor --probe',
  template: 'recognized by the chat template',
  name: 'recognized by the name',
  option: 'from --protocol',
  native: 'the server supports it',
  guess: 'a guess: neither the name nor the template is known',
}
