import type { Model, ModelChunk } from '@toolglot/agent'
import { parse, printCall, type Protocol } from '@toolglot/core'
import { describeAbilities } from './abilities.ts'
import { readChat, TOOLS } from './read-results.ts'
import type { Step } from './task.ts'
import { tasks } from './tasks/index.ts'

export interface DemoOptions {
  /** What it writes its calls in; undefined: it calls as a model with function calling does. */
  readonly protocol: Protocol | undefined
  /** How long it waits between words, in milliseconds. */
  readonly pace?: number
}

/** The name that chooses it. */
export const DEMO = 'script'

/**
 * A script in the place of a model, so that there is something to talk to without one. It knows a few tasks, writes real
 * protocol text, and answers with what the tools really gave.
 */
export function demoModel({ protocol, pace = 0 }: DemoOptions): Model {
  return {
    name: DEMO,
    provider: 'built in, no AI',
    ...(!protocol && { native: true }),
    async *reply({ messages, signal }) {
      const { prompt, results } = readChat(messages, protocol)
      const step = nextStep(prompt, results)
      for (const delta of piecesOf(textOf(step, protocol))) {
        if (pace > 0) await pause(pace)
        signal.throwIfAborted()
        yield { type: 'text', delta }
      }
      if (!protocol && 'name' in step) yield nativeCall(step)
      yield { type: 'finish', finish: 'stop' }
    },
  }
}

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
  // A call without marks counts only where nothing stands before it.
  const isRead = parse(text, { protocols: protocol, tools: TOOLS }).calls.length > 0
  return isRead ? text : call
}

function nativeCall({ name, args }: Extract<Step, { name: string }>): ModelChunk {
  return { type: 'call', index: 0, id: 'call-0', name, delta: JSON.stringify(args) }
}

/** As a model would send it: word by word. */
function piecesOf(text: string): string[] {
  return text.match(/\s*\S+|\s+$/g) ?? []
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, milliseconds))
}
