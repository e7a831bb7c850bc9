import type { ChatMessage } from './chat-message.ts'
import type { Model } from './model.ts'
import type { Usage } from './usage.ts'
import { PrefixCache } from './prefix-cache.ts'
import { estimateTokens } from './estimate-tokens.ts'

/** The number of tokens in some messages. */
export interface TokenCount {
  readonly tokens: number
  /** It is an estimate, not a count by the model's tokenizer. */
  readonly estimated?: true
}

/** Counts the tokens of messages with the model's tokenizer, or estimates them and learns from what servers report. */
export interface TokenCounter {
  /** Estimates without asking the model. */
  estimate(messages: readonly ChatMessage[]): number
  /** Counts if the model can count, otherwise estimates. */
  count(messages: readonly ChatMessage[], signal: AbortSignal): Promise<TokenCount>
  /** Adjusts later estimates to the usage that the server reported for these messages. */
  learn(messages: readonly ChatMessage[], usage: Usage): void
}

/** Creates a counter that asks the model's tokenizer, or estimates if there is none. */
export function createTokenCounter(model: Pick<Model, 'countTokens'> = {}): TokenCounter {
  const counted = new WeakMap<ChatMessage, number>()
  let ratio = 1
  /** What the server counted last. Many runs never need an estimate, and then nothing is computed from it. */
  let reported: { readonly messages: readonly ChatMessage[]; readonly tokens: number } | undefined
  const estimate = (messages: readonly ChatMessage[]): number => {
    // Beyond this range, the server counted something else.
    if (reported)
      ratio = Math.min(
        Math.max(reported.tokens / estimateMessageTokens(reported.messages), 1 / 4),
        4,
      )
    reported = undefined
    return Math.ceil(estimateMessageTokens(messages) * ratio)
  }

  return {
    estimate,
    async count(messages, signal) {
      if (!model.countTokens) return { tokens: estimate(messages), estimated: true }
      try {
        let tokens = 0
        for (const message of messages) {
          let count = counted.get(message)
          if (count === undefined) {
            count = TEMPLATE_TOKENS + (await model.countTokens(textOfChatMessage(message), signal))
            counted.set(message, count)
          }
          tokens += count
        }
        return { tokens }
      } catch {
        // The server cannot count, or is unreachable: then the next request for a reply reports that.
        return { tokens: estimate(messages), estimated: true }
      }
    },
    learn(messages, { input, estimated }) {
      if (!estimated && input > 0 && messages.length > 0) reported = { messages, tokens: input }
    },
  }
}

const estimates = new WeakMap<ChatMessage, number>()
const sums = new PrefixCache<ChatMessage, number>()

/** Estimates the tokens of messages. Each message is measured once. */
export function estimateMessageTokens(messages: readonly ChatMessage[]): number {
  const { length, value } = sums.take(messages) ?? { length: 0, value: 0 }
  let tokens = value
  for (let at = length; at < messages.length; at++) {
    const message = messages[at]!
    let estimate = estimates.get(message)
    if (estimate === undefined) {
      estimate = TEMPLATE_TOKENS + estimateTokens(textOfChatMessage(message))
      estimates.set(message, estimate)
    }
    tokens += estimate
  }
  sums.store(messages, tokens)
  return tokens
}

/** How many tokens a chat template adds to a message. */
const TEMPLATE_TOKENS = 4

/** An estimate of a reply's usage, for servers that report none. */
export function estimateUsage(messages: readonly ChatMessage[], reply: string): Usage {
  return {
    input: estimateMessageTokens(messages),
    output: estimateTokens(reply),
    estimated: true,
  }
}

function textOfChatMessage(message: ChatMessage): string {
  const calls = message.role === 'assistant' ? message.calls : undefined
  return calls ? `${message.content}${JSON.stringify(calls)}` : message.content
}
