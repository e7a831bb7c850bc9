import { guessTokens } from '../context/counter.ts'
import { estimateTokens } from '../context/tokens.ts'
import type { ChatMessage } from './chat-message.ts'
import type { ModelPrice, Usage } from './usage.ts'

export const noUsage: Usage = { input: 0, output: 0 }

/** A guess where nobody counted, and it says so. */
export function estimateUsage(messages: readonly ChatMessage[], reply: string): Usage {
  return { input: guessTokens(messages), output: estimateTokens(reply), estimated: true }
}

export function costOf(usage: Usage, price: ModelPrice | undefined): Usage {
  if (!price || usage.cost !== undefined) return usage
  // A server that counts more of it than there is would make the rest less than nothing.
  const cached = Math.min(usage.cached ?? 0, usage.input)
  const fresh = (usage.input - cached) * price.input + cached * (price.cached ?? price.input)
  return { ...usage, cost: (fresh + usage.output * price.output) / 1e6 }
}

export function addUsage(one: Usage, other: Usage): Usage {
  const sum = (key: 'cached' | 'reasoning' | 'cost'): object =>
    one[key] === undefined && other[key] === undefined
      ? {}
      : { [key]: (one[key] ?? 0) + (other[key] ?? 0) }
  return {
    input: one.input + other.input,
    output: one.output + other.output,
    ...sum('cached'),
    ...sum('reasoning'),
    ...sum('cost'),
    ...((one.estimated || other.estimated) && { estimated: true }),
  }
}
