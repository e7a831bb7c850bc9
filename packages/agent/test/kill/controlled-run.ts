import { printCalls } from '@toolglot/core'
import { hermes } from '@toolglot/core/protocols/hermes'
import { textOf } from '../../src/model/chat-message.ts'
import type { Model } from '../../src/model/model.ts'
import { collect } from '../../src/run/run-result.ts'
import type { RunOptions } from '../../src/run/options.ts'
import { run } from '../../src/run/run.ts'
import { tool, type Tool } from '../../src/tool/tool.ts'
import { type Program, type ProgramContext, RUN } from './program.ts'

/** The calls of each turn. An answer follows. */
const SCRIPT = [['put a', 'put b'], ['put c'], ['put d']]

/**
 * The runs of the program: one that is suspended and released, a fork of it, and one that is
 * stopped.
 */
const program: Program = async (context) => {
  await untilItEnds(context, { id: RUN, prompt: 'Do it.' })
  await untilItEnds(context, { id: 'fork', prompt: 'Otherwise.', fork: { run: RUN, turn: 2 } })
  await stopped(context)
}

export default program

/**
 * Executes a run until it ends. It is suspended at each request, which is then answered, and
 * released once.
 */
async function untilItEnds(context: ProgramContext, more: Partial<RunOptions>): Promise<void> {
  const { journal, effect } = context
  for (;;) {
    const release = new AbortController()
    const options = { ...optionsOf(context, release), ...more }
    const { reason } = await collect(run({ ...options, release: release.signal }))
    if (reason !== 'interrupted') return
    // Starts with the last request, because answers may arrive in any order.
    for (const { run: id, key, args } of [...(await journal.waiting())].reverse()) {
      await journal.answer(id, key, { verdict: 'allow' })
      effect(`answered ${String(args['key'])} in ${id}`)
    }
  }
}

/** Stops a run while it is waiting for a person. */
async function stopped(context: ProgramContext): Promise<void> {
  const options = { ...optionsOf(context, new AbortController()), id: 'stopped', prompt: 'Do it.' }
  const { reason } = await collect(run(options))
  if (reason !== 'interrupted') return
  await context.journal.stop('stopped')
  await collect(run(options))
}

function optionsOf(context: ProgramContext, release: AbortController): RunOptions {
  return {
    journal: context.journal,
    model: scripted(context),
    tools: [put(context, release)],
    onWait: 'suspend',
  }
}

/**
 * A fake model whose replies depend only on the messages. They include the number of unknown
 * outcomes it has read.
 */
function scripted({ effect }: ProgramContext): Model {
  return {
    name: 'script hermes',
    async *reply({ messages }) {
      const turn = messages.filter(({ role }) => role === 'assistant').length
      effect(`turn ${turn}`)
      const all = messages.map(({ content }) => textOf(content)).join('\n')
      const unknown = all.split('It is unknown whether put').length - 1
      const calls = SCRIPT[turn]?.map((text) => ({ name: 'put', args: { key: text.slice(4) } }))
      yield { type: 'text', delta: calls ? printCalls(hermes, calls) : `done, ${unknown} unknown` }
      yield { type: 'finish', finish: 'stop' }
    },
  }
}

function put({ effect }: ProgramContext, release: AbortController): Tool {
  return tool({
    name: 'put',
    description: 'Puts',
    parameters: { type: 'object', properties: { key: { type: 'string' } }, required: ['key'] },
    execute({ key }, { run: id }) {
      if (key === 'a') release.abort()
      effect(`put ${String(key)} in ${id}`)
      return `put ${String(key)} is done`
    },
  })
}
