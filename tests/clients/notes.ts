import { expect } from 'vitest'
import {
  answerWith,
  conversationCalls,
  conversationTools,
  newFact,
} from '../../packages/server/test/conversation.ts'
import { usageOf } from '../../packages/server/test/upstream.ts'

/** The tools of one conversation, which a client runs. */
export interface Notes {
  /** Runs a tool. */
  run(name: string, args: unknown): string
  /** Checks that each call arrived once and unchanged, and that the answer contains all results. */
  expectAll(answer: unknown): void
}

export function startNotes(): Notes {
  const ran: { readonly name: string; readonly args: unknown }[] = []
  const facts: string[] = []
  return {
    run(name, args) {
      const fact = newFact()
      ran.push({ name, args })
      facts.push(fact)
      return JSON.stringify({ fact, note: `A "note" of ${name}\nwith two lines.` })
    },
    expectAll(answer) {
      expect(ran).toEqual(conversationCalls.flat())
      expect(answer).toBe(answerWith(facts))
    },
  }
}

/** The fake model's reported usage for the whole conversation. */
export const totalUsage = [0, 1, 2].map(usageOf).reduce((one, other) => ({
  prompt_tokens: one.prompt_tokens + other.prompt_tokens,
  completion_tokens: one.completion_tokens + other.completion_tokens,
}))

/** The tools as wrapped by chat completions. */
export const wrappedTools = conversationTools.map((each) => ({
  type: 'function' as const,
  function: { ...each, parameters: { ...each.parameters } },
}))

/** The user's question. */
export const prompt = 'What do my notes say?'
