import { familyOf } from '@toolglot/core'
import { fromSamples } from '../input/source.ts'
import { nextSteps, runnable, showExamples } from '../show/examples.ts'
import { wrap } from '../show/text/wrap.ts'
import { colorsOf, columnsOf, write, type Terminal } from '../terminal.ts'
import type { ViewOptions, View } from './view.ts'

/** Shows the built-in replies of some protocols and, for people, what to try next. */
export async function viewSamples(
  ids: readonly string[],
  view: View,
  reading: ViewOptions,
  terminal: Terminal,
): Promise<void> {
  const { output, env } = terminal
  const { bold, dim } = colorsOf(output, env)
  const writeForPeople = async (text: string): Promise<void> => {
    if (!reading.json) await write(output, text)
  }

  for (const source of fromSamples(ids)) {
    const { protocol, tools } = source
    const title = `${dim('──')} ${bold(protocol.id)} ${dim('──')} ${familyOf(protocol).about}`
    await writeForPeople(`${wrap(title, columnsOf(output)).join('\n')}\n\n`)
    const options = { tools, ...reading.options, protocols: protocol }
    await view(source, { ...reading, options }, terminal)
    await writeForPeople('\n')
  }
  await writeForPeople(showExamples(bold('Next:'), runnable(nextSteps, env)))
}
