import { printCalls } from '@toolglot/core'
import { hermes } from '@toolglot/core/protocols/hermes'
import { textOf, type ChatMessage } from '../../src/model/chat-message.ts'
import type { Journal } from '../../src/journal/journal.ts'
import type { Model } from '../../src/model/model.ts'
import { collect } from '../../src/run/run-result.ts'
import type { Approve, RunOptions } from '../../src/run/options.ts'
import { run } from '../../src/run/run.ts'
import { tool, type Tool } from '../../src/tool/tool.ts'
import { type ProgramContext, type Program, RUN } from './program.ts'

/** The model's turns, which are calls or an answer. The last two turns follow another prompt. */
const SCRIPT = [
  [['look', 'a'] as const, ['look', 'b'] as const],
  [['set', 'a'] as const, ['put', 'a'] as const],
  [['put', 'b'] as const, ['put', 'c'] as const],
  'done',
  [['put', 'd'] as const, ['set', 'b'] as const],
  'all done',
]

/** A realistic run: a model, all kinds of tools, approvals, and another prompt after the end. */
const program: Program = async (context) => {
  const { journal } = context
  const options: RunOptions = {
    id: RUN,
    journal,
    model: modelIn(context),
    tools: toolsIn(context),
    prompt: 'Do it.',
    permissions: { allow: ['set'] },
    approve: approveIn(context),
  }
  const records = await journal.read(RUN)
  if (!records.some(({ key }) => key === 'input/0')) {
    await collect(run(options))
    await collect(run({ ...options, prompt: 'And the rest.', resume: true }))
  } else await collect(run(options))
}

export default program

/**
 * A fake model whose replies depend only on the messages. Its answers report the number of unknown
 * outcomes it has read.
 */
function modelIn({ effect }: ProgramContext): Model {
  return {
    name: 'script hermes',
    async *reply({ messages }) {
      const turn = messages.filter(({ role }) => role === 'assistant').length
      effect(`turn ${turn}`)
      const reply = SCRIPT[turn]!
      const text =
        typeof reply === 'string' ? `${reply}, ${countUnknown(messages)} unknown` : printed(reply)
      yield { type: 'text', delta: text }
      yield { type: 'finish', finish: 'stop' }
    },
  }
}

function printed(calls: readonly (readonly [name: string, key: string])[]): string {
  return printCalls(
    hermes,
    calls.map(([name, key]) => ({ name, args: { key } })),
  )
}

function countUnknown(messages: readonly ChatMessage[]): number {
  const all = messages.map(({ content }) => textOf(content)).join('\n')
  return all.split('It is unknown whether put').length - 1
}

function toolsIn({ effect }: ProgramContext): Tool[] {
  const make = (name: string, kind: { readOnly?: true; idempotent?: true }): Tool =>
    tool({
      name,
      description: `Does ${name}`,
      parameters: {
        type: 'object',
        properties: { key: { type: 'string' } },
        required: ['key'],
      },
      ...kind,
      execute({ key }) {
        effect(`${name} ${key as string}`)
        return `${name} ${key as string} is done`
      },
    })
  return [make('look', { readOnly: true }), make('set', { idempotent: true }), make('put', {})]
}

/** One call is approved here, one through the journal, and one is denied. */
function approveIn({ journal, effect }: ProgramContext): Approve {
  return async ({ args }, signal) => {
    const key = args['key'] as string
    effect(`asked ${key}`)
    if (key === 'c') return { verdict: 'deny', reason: 'not c' }
    if (key !== 'b') return { verdict: 'allow' }
    await answerOutside(journal, key)
    // The request in this process is never answered.
    return new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
    })
  }
}

async function answerOutside(journal: Journal, asked: string): Promise<void> {
  for (const { key, args } of await journal.waiting({ run: RUN }))
    if (args['key'] === asked) await journal.answer(RUN, key, { verdict: 'allow' })
}
