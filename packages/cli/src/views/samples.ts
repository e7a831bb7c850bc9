import { fromSamples } from '../read/source.ts'
import { nextSteps, showExamples, type CommandExample } from '../show/examples.ts'
import { wrap } from '../show/wrap.ts'
import { colorsOf, columnsOf, write, type Terminal } from '../terminal.ts'
import type { Reading, View } from './view.ts'

/** The built-in replies of some protocols, each under its name; for people, what to try next. */
export async function viewSamples(
  ids: readonly string[],
  view: View,
  reading: Reading,
  terminal: Terminal,
): Promise<void> {
  const { output, env } = terminal
  const { bold, dim } = colorsOf(output, env)
  const say = async (text: string): Promise<void> => {
    if (!reading.json) await write(output, text)
  }

  // Started by npm, as in a fresh clone, the command is not on the path.
  const runnable = ({ line, about }: CommandExample): CommandExample => ({
    line: env['npm_lifecycle_event'] === undefined ? line : `npx ${line}`,
    about,
  })

  for (const source of fromSamples(ids)) {
    const { protocol, tools } = source
    const title = `${dim('──')} ${bold(protocol.id)} ${dim('──')} ${protocol.about}`
    await say(`${wrap(title, columnsOf(output)).join('\n')}\n\n`)
    const options = { tools, ...reading.options, protocols: protocol }
    await view(source, { ...reading, options }, terminal)
    await say('\n')
  }
  await say(showExamples(bold('Next:'), nextSteps.map(runnable)))
}
