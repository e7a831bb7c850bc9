import type { Server } from '@toolglot/server'
import type { ChosenModel } from '@toolglot/workspace'
import { visibleLine } from '@toolglot/workspace/internal'
import { colorsOf, columnsOf, type Terminal } from '../terminal.ts'
import { runnable } from './examples.ts'
import { showChosenModel } from './run/chosen-model.ts'
import { table, wrap } from './text/table.ts'

/** The models of a server. */
export interface Answering {
  /** The default model. */
  readonly chosen: ChosenModel | undefined
  /** The reason why there is no default model. */
  readonly whyNone: string | undefined
  /** The model names that are always available to clients. */
  readonly names: readonly string[]
}

/**
 * The address of a server, instructions for logging in and for connecting a client, and the default
 * model.
 */
export function showServer(
  { url, link }: Pick<Server, 'url'> & { readonly link: string },
  { chosen, whyNone, names }: Answering,
  { errors, env }: Terminal,
): string {
  const colors = colorsOf(errors, env)
  const { bold, dim } = colors
  const [{ line: token } = { line: '' }] = runnable([{ line: 'toolglot token', about: '' }], env)
  const rows = [
    ['Login', `${link}  (works once, for ten minutes)`],
    ['Clients', `${url}/v1  (any client of the OpenAI API)`],
    ['API', `${url}/api/docs  (runs, tools and approvals over HTTP)`],
    ['Token', `${token}  (prints it)`],
    ['Models', `${names.map(nameOf).join(', ')}  (GET /v1/models lists all)`],
  ]
  const model = chosen
    ? showChosenModel(chosen, colors, columnsOf(errors) - 2).replace(/^(?=.)/gm, '  ')
    : wrap(visibleLine(`No default model: ${whyNone}`), columnsOf(errors) - 2)
        .map((line) => `  ${line}\n`)
        .join('')
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

function nameOf(name: string): string {
  return name === '*' ? 'any other name' : visibleLine(name)
}
