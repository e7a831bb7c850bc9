import type { ModelTrial } from '@toolglot/workspace'
import { visible } from '@toolglot/workspace/internal'
import type { Colors } from '../terminal.ts'
import { table } from './table.ts'

/** What came of trying a model, for people. */
export function showTrial(trial: ModelTrial, { bold, dim, green, red }: Colors): string {
  const { first, total, tokens, estimated, perSecond, finish, understood, repairs } = trial
  const rows = [
    ['protocol', `${trial.protocol ?? 'function calling of its own'} (${HOW[trial.by]})`],
    ['first piece', `${first} ms`],
    ['whole reply', `${total} ms, ended by ${finish}`],
    ['tokens', `${estimated ? 'about ' : ''}${tokens}, ${perSecond} a second`],
    ['call', understood ? green('understood') : red('not understood')],
    ...(repairs.length > 0 ? [['repaired', repairs.join(', ')]] : []),
  ]
  const shown = table(rows, (cell, _, column) => (column === 0 ? bold(cell) : cell))
  if (understood) return shown
  const said = trial.reply.trim() === '' ? '(nothing)' : trial.reply.slice(0, 2000)
  return `${shown}\n${dim('It wrote:')}\n${visible(said)}\n`
}

const HOW: Record<ModelTrial['by'], string> = {
  template: 'by its chat template',
  name: 'by its name',
  option: 'as you said',
  native: 'its server has it',
  guess: 'a guess: neither its name nor its template is known',
}
