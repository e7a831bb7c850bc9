import type { Server } from '@toolglot/server'
import type { ChosenModel } from '@toolglot/workspace'
import { colorsOf, columnsOf, type Terminal } from '../terminal.ts'
import { runnable } from './examples.ts'
import { showChosenModel } from './run/chosen-model.ts'
import { table } from './text/table.ts'

/** Where a server is, how to log in, how to point a client at it, and which model answers. */
export function showServer(
  { url, loginLink }: Pick<Server, 'url' | 'loginLink'>,
  chosen: ChosenModel | undefined,
  { errors, env }: Terminal,
): string {
  const colors = colorsOf(errors, env)
  const { bold, dim } = colors
  const [{ line: token } = { line: '' }] = runnable([{ line: 'toolglot token', about: '' }], env)
  const rows = [
    ['Login', `${loginLink()}  (works once, for ten minutes)`],
    ['Clients', `${url}/v1  (any client of the OpenAI API)`],
    ['Token', `${token}  (prints it)`],
  ]
  const model = chosen
    ? showChosenModel(chosen, colors, columnsOf(errors) - 2).replace(/^(?=.)/gm, '  ')
    : dim('  There is no default model: see toolglot models.\n')
  return [
    `${bold('Toolglot')} is listening on ${bold(url)}\n`,
    table(
      rows.map(([name = '', value = '']) => [`  ${name}`, value]),
      (cell, _, column) => (column === 0 ? dim(cell) : cell),
    ),
    `\n${bold('The model "default":')}\n${model}`,
    `\n${bold('To use it from another terminal:')}\n`,
    `  export OPENAI_BASE_URL=${url}/v1\n  export OPENAI_API_KEY="$(${token})"\n`,
    dim('\nCtrl-C stops the server. Requests:\n'),
  ].join('')
}
