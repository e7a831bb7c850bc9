import { userDirectories } from '@toolglot/workspace'
import { visibleLine } from '@toolglot/workspace/internal'
import { colorsOf, columnsOf, type Terminal } from '../terminal.ts'
import { showChosenModel } from './run/chosen-model.ts'
import type { Answering } from './server.ts'
import { wrap } from './text/wrap.ts'

/** A page that is served. */
export interface ShownPage {
  readonly url: string
  readonly link: string
  /** Whether a browser opens it by itself. */
  readonly opens: boolean
  /** If this process serves it. */
  readonly folder?: string
  readonly answering?: Answering
}

/** Where the page is, what it works with, and how to get there without a browser that opens by itself. */
export function showPage(
  { url, link, opens, folder, answering }: ShownPage,
  { errors, env }: Terminal,
): string {
  const colors = colorsOf(errors, env)
  const { bold, dim } = colors
  const columns = columnsOf(errors) - 2
  const indent = (text: string): string => text.replace(/^(?=.)/gm, '  ')
  const chat = env['npm_lifecycle_event'] === 'start' ? 'npm start -- chat' : 'toolglot chat'
  const way = opens
    ? `Your browser opens it. If it does not, open this link; it works once, for ten minutes:`
    : `Open this link in a browser. It works once, for ten minutes:`
  const [, , , sshPort] = (env['SSH_CONNECTION'] ?? '').split(' ')
  const { port } = new URL(url)
  const tunnel = `From another machine, first: ssh -L ${port}:127.0.0.1:${port} USER@THIS-MACHINE`
  return [
    `${bold('Toolglot')} is ready${answering ? '' : ', in a server that was already running'}: ${bold(url)}\n`,
    ...(folder === undefined ? [] : [`\n  ${bold(visibleLine(shortened(folder, env)))}\n`]),
    ...(answering?.chosen ? [indent(showChosenModel(answering.chosen, colors, columns))] : []),
    ...(answering?.whyNone === undefined
      ? []
      : wrap(visibleLine(`There is no model: ${answering.whyNone}`), columns).map(
          (line) => `  ${line}\n`,
        )),
    `\n${way}\n\n  ${link}\n\n`,
    ...(sshPort === undefined ? [] : [`${tunnel}\n\n`]),
    ...(answering ? [dim(`In the terminal instead: ${chat}\nCtrl-C stops the server.\n`)] : []),
  ].join('')
}

function shortened(folder: string, env: Terminal['env']): string {
  const { home } = userDirectories(env)
  return folder === home || folder.startsWith(`${home}/`) ? `~${folder.slice(home.length)}` : folder
}
