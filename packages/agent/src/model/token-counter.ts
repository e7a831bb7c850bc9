import { type ChatMessage, textOf } from './chat-message.ts'
import type { Model } from './model.ts'
import type { Usage } from './usage.ts'
import { PrefixCache } from './prefix-cache.ts'
import { estimateImageTokens, estimateTokens } from './estimate-tokens.ts'

/** The number of tokens in some messages. */
export interface TokenCount {
  readonly tokens: number
  /**
   * True for an estimate instead of a count by the model's tokenizer. Images are always estimated.
   */
  readonly estimated?: true
}

/**
 * Counts the tokens of messages with the model's tokenizer. Without one, estimates them and
 * improves the estimates using the usage that servers report.
 */
export interface TokenCounter {
  /** Estimates the count without a request to the server. */
  estimate(messages: readonly ChatMessage[]): number
  /** Counts with the model's tokenizer, or estimates if the model has none. */
  count(messages: readonly ChatMessage[], signal: AbortSignal): Promise<TokenCount>
  /**
   * Adjusts later estimates to the usage that the server reported for these messages. `beside` is
   * the estimate for the rest of the request, such as tools.
   */
  learn(messages: readonly ChatMessage[], usage: Usage, beside?: number): void
  /** The ratio of the server's counts to the estimates, learned or restored. */
  ratio: number
}

/** Creates a counter that uses the model's tokenizer, or estimates if the model has none. */
export function createTokenCounter(model: Pick<Model, 'countTokens'> = {}): TokenCounter {
  const counted = new WeakMap<ChatMessage, number>()
  const estimate = (messages: readonly ChatMessage[]): number =>
    Math.ceil(estimateMessageTokens(messages) * counter.ratio)

  const counter: TokenCounter = {
    ratio: 1,
    estimate,
    async count(messages, signal) {
      if (!model.countTokens) return { tokens: estimate(messages), estimated: true }
      try {
        let tokens = 0
        let images = 0
        for (const message of messages) {
          let count = counted.get(message)
          if (count === undefined) {
            count = TEMPLATE_TOKENS + (await model.countTokens(textOfChatMessage(message), signal))
            counted.set(message, count)
          }
          tokens += count
          images += estimateImageTokens(message.content)
        }
        return { tokens: tokens + images, ...(images > 0 && { estimated: true }) }
      } catch {
        // The server cannot count or is unreachable. The next request for a reply will report that.
        return { tokens: estimate(messages), estimated: true }
      }
    },
    learn(messages, { input, cached, estimated }, beside = 0) {
      const before = estimateMessageTokens(messages) + beside
      if (estimated || input <= 0 || before < MIN_LEARNED) return
      if (messages.some(({ content }) => estimateImageTokens(content) > 0)) return
      // If the ratio is outside this range, the server counted something else.
      const measured = Math.min(Math.max(input / before, 1 / 4), 4)
      // A small count proves nothing, because some servers omit cached tokens; a count that reports
      // them separately is complete.
      const isWhole = cached !== undefined && cached <= input
      if (isWhole || measured > counter.ratio) counter.ratio = measured
    },
  }
  return counter
}

/** Smaller counts consist mostly of text added by the chat template. */
const MIN_LEARNED = 500

const estimates = new WeakMap<ChatMessage, number>()
const sums = new PrefixCache<ChatMessage, number>()

/** Estimates the tokens of messages. Each message is estimated once. */
export function estimateMessageTokens(messages: readonly ChatMessage[]): number {
  const { length, value } = sums.take(messages) ?? { length: 0, value: 0 }
  let tokens = value
  for (let at = length; at < messages.length; at++) {
    const message = messages[at]!
    let estimate = estimates.get(message)
    if (estimate === undefined) {
      estimate =
        TEMPLATE_TOKENS +
        estimateTokens(textOfChatMessage(message)) +
        estimateImageTokens(message.content)
      estimates.set(message, estimate)
    }
    tokens += estimate
  }
  sums.store(messages, tokens)
  return tokens
}

/** The tokens that a chat template adds to a message. */
const TEMPLATE_TOKENS = 4

/** Estimates the usage of a reply, for servers that report none. */
export function estimateUsage(messages: readonly ChatMessage[], reply: string): Usage {
  return {
    input: estimateMessageTokens(messages),
    output: estimateTokens(reply),
    estimated: true,
  }
}

function textOfChatMessage(message: ChatMessage): string {
  const calls = message.role === 'assistant' ? message.calls : undefined
  const text = textOf(message.content)
  return calls ? text + JSON.stringify(calls) : text
}
