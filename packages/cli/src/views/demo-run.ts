import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Model, run } from '@toolglot/agent'
import { demoModel, openTools } from '@toolglot/workspace'
import { visible } from '@toolglot/workspace/internal'
import { protocols } from '@toolglot/core'
import { workspaceOf } from '../open-workspace.ts'
import { block } from '../show/text/block.ts'
import { firstSteps, runnable, showExamples } from '../show/examples.ts'
import { showCallLine } from '../show/run/call-line.ts'
import { showOutcome } from '../show/run/outcome.ts'
import { colorsOf, columnsOf, type Terminal, write } from '../terminal.ts'

/** Runs the demo script in this folder and shows each step: the prompt, the reply, the call, the result, the answer. */
export async function viewDemoRun(terminal: Terminal): Promise<void> {
  const { output, env, cwd } = terminal
  const colors = colorsOf(output, env)
  const { bold, dim, cyan, green } = colors
  const columns = Math.min(100, columnsOf(output)) - 12
  const prompt = existsSync(join(cwd, 'package.json'))
    ? 'What version is in package.json?'
    : 'Find *'
  const model = demoModel({ protocol: protocols['hermes'] })
  const show = (label: string, paint: (text: string) => string, text: string): Promise<void> =>
    write(output, block(label, paint, visible(text).split('\n')))

  await write(
    output,
    `A model that can only write text calls a tool. ${dim('(This is a demo script, not an AI.)')}\n\n`,
  )
  await show('prompt', bold, prompt)
  const { host, tools, close } = await openTools(await workspaceOf({}, terminal), {
    canonicalOnly: true,
    keepsNothing: true,
  })
  try {
    const shown = onWholeReply(model, (text) => show('model', cyan, text))
    for await (const event of run({
      model: shown,
      prompt,
      protocol: protocols['hermes']!,
      tools,
      fileSystem: host.fileSystem,
    })) {
      if (event.type === 'tool-start')
        await write(output, block('call', green, [showCallLine(event, colors, columns)]))
      if (event.type === 'tool-end') {
        const lines = showOutcome(event.outcome, { colors, columns })
        await write(output, block('result', green, lines))
      }
    }
  } finally {
    await close()
  }
  await write(output, `\n${showExamples(bold('Next:'), runnable(firstSteps, env))}`)
}

/** A model that reports each reply when it is complete, before its calls are run. */
function onWholeReply(model: Model, report: (text: string) => Promise<void>): Model {
  return {
    ...model,
    async *reply(request) {
      let text = ''
      for await (const chunk of model.reply(request)) {
        if (chunk.type === 'text') text += chunk.delta
        if (chunk.type === 'finish') await report(text)
        yield chunk
      }
    },
  }
}
