import { printCalls } from '@toolglot/core'
import { hermes } from '@toolglot/core/protocols/hermes'
import type { Journal } from '../../src/journal/journal.ts'
import type { ChatMessage } from '../../src/model/chat-message.ts'
import type { Model } from '../../src/model/model.ts'
import { collectRun } from '../../src/run/collect-run.ts'
import type { Approve, RunOptions } from '../../src/run/options.ts'
import { run } from '../../src/run/run.ts'
import { tool, type Tool } from '../../src/tool/tool.ts'
import { type KillSetting, type Program, RUN } from './program.ts'

/** What the model says, turn by turn: calls, or an answer. The last two turns are after what a person says later. */
const SCRIPT = [
  [['look', 'a'] as const, ['look', 'b'] as const],
  [['set', 'a'] as const, ['put', 'a'] as const],
  [['put', 'b'] as const, ['put', 'c'] as const],
  'done',
  [['put', 'd'] as const, ['set', 'b'] as const],
  'all done',
]

/** A run as users have it: a model, tools of each kind, approvals, and something that is said when it has ended. */
const program: Program = async (fileSystem) => {
  const { journal } = fileSystem
  const options: RunOptions = {
    id: RUN,
    journal,
    model: modelIn(fileSystem),
    tools: toolsIn(fileSystem),
    prompt: 'Do it.',
    permissions: { allow: ['set'] },
    approve: approveIn(fileSystem),
  }
  const records = await journal.read(RUN)
  if (!records.some(({ key }) => key === 'input/0')) {
    await collectRun(run(options))
    await collectRun(run({ ...options, prompt: 'And the rest.', resume: true }))
  } else await collectRun(run(options))
}

export default program

/** A model that is none: what it says depends only on the messages, and ends with how many unknown outcomes it was told. */
function modelIn({ effect }: KillSetting): Model {
  return {
    name: 'script hermes',
    async *reply({ messages }) {
      const turn = messages.filter(({ role }) => role === 'assistant').length
      effect(`turn ${turn}`)
      const says = SCRIPT[turn]!
      const text = typeof says === 'string' ? `${says}, ${told(messages)} unknown` : printed(says)
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

function told(messages: readonly ChatMessage[]): number {
  const all = messages.map(({ content }) => content).join('\n')
  return all.split('It is unknown whether put').length - 1
}

function toolsIn({ effect }: KillSetting): Tool[] {
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

/** Of one call a person says yes here, of one through the journal, of one no. */
function approveIn({ journal, effect }: KillSetting): Approve {
  return async ({ args }, signal) => {
    const key = args['key'] as string
    effect(`asked ${key}`)
    if (key === 'c') return { verdict: 'deny', reason: 'not c' }
    if (key !== 'b') return { verdict: 'allow' }
    await answerOutside(journal)
    // Whoever is asked here never says anything.
    return new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
    })
  }
}

async function answerOutside(journal: Journal): Promise<void> {
  const records = await journal.read(RUN)
  const answered = new Set(records.flatMap(({ kind, key }) => (kind === 'answer' ? [key] : [])))
  for (const { kind, key } of records)
    if (kind === 'wait' && !answered.has(key)) await journal.answer(RUN, key, { verdict: 'allow' })
}
