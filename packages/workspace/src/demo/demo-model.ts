import type { Model, ModelChunk } from '@toolglot/agent'
import { parse, printCall, type Protocol } from '@toolglot/core'
import { describeAbilities } from './abilities.ts'
import { readChat, TOOLS } from './read-results.ts'
import type { Step } from './task.ts'
import { tasks } from './tasks/index.ts'

/** How the demo script writes. */
export interface DemoOptions {
  /** The protocol it writes; undefined: function calling. */
  readonly protocol: Protocol | undefined
  /** How long it waits between words, in milliseconds. Default: 0. */
  readonly pace?: number
}

/** The model name that selects the demo script. */
export const DEMO = 'script'

/**
 * A script in place of a model, so that there is something to talk to without one. It knows a few tasks, writes real
 * protocol text, and answers with the real results of the tools.
 */
export function demoModel({ protocol, pace = 0 }: DemoOptions): Model {
  return {
    name: DEMO,
    provider: 'built-in demo, not an AI',
    ...(!protocol && { native: true }),
    async *reply({ messages, signal }) {
      const { prompt, results } = readChat(messages, protocol)
      // What it understands is short, and people pipe in whole files.
      const step = nextStep(prompt.slice(0, MAX_PROMPT), results)
      for (const delta of wordsOf(textOf(step, protocol))) {
        if (pace > 0) await pause(pace)
        signal.throwIfAborted()
        yield { type: 'text', delta }
      }
      if (!protocol && 'name' in step) yield nativeCall(step)
      yield { type: 'finish', finish: 'stop' }
    },
  }
}

const MAX_PROMPT = 10_000

function nextStep(prompt: string, results: readonly string[]): Step {
  for (const task of tasks) {
    const wanted = task.match(prompt)
    if (wanted !== undefined) return task.next(wanted, results)
  }
  return { say: describeAbilities(prompt) }
}

function textOf(step: Step, protocol: Protocol | undefined): string {
  if (!('name' in step) || !protocol) return step.say
  const { say, name, args } = step
  const call = printCall(protocol, { name, args })
  const text = `${say}\n${call}`
  // A call without marks is only read if nothing is before it.
  const isRead = parse(text, { protocols: protocol, tools: TOOLS }).calls.length > 0
  return isRead ? text : call
}

function nativeCall({ name, args }: Extract<Step, { name: string }>): ModelChunk {
  return { type: 'call', index: 0, id: 'call-0', name, delta: JSON.stringify(args) }
}

/** Word by word, as a model would send it. */
function wordsOf(text: string): string[] {
  return text.match(/\s*\S+|\s+$/g) ?? []
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, milliseconds))
}
