import type { ChatMessage } from '../model/chat-message.ts'
import type { Model } from '../model/model.ts'
import type { Usage } from '../model/usage.ts'
import { Growing } from './growing.ts'
import { estimateTokens } from './tokens.ts'

/** How many tokens messages are. */
export interface TokenCount {
  readonly tokens: number
  /** Nobody counted: it is a guess. */
  readonly estimated?: true
}

/** Counts what a model reads, by its own tokenizer where it has one; else guesses, and learns from what the server counted. */
export interface TokenCounter {
  /** At once, and always a guess. */
  estimate(messages: readonly ChatMessage[]): number
  count(messages: readonly ChatMessage[], signal: AbortSignal): Promise<TokenCount>
  /** What the server says these messages were. */
  learn(messages: readonly ChatMessage[], usage: Usage): void
}

export function createTokenCounter(model: Pick<Model, 'countTokens'> = {}): TokenCounter {
  const counted = new WeakMap<ChatMessage, number>()
  let ratio = 1
  const estimate = (messages: readonly ChatMessage[]): number =>
    Math.ceil(guessTokens(messages) * ratio)

  return {
    estimate,
    async count(messages, signal) {
      if (!model.countTokens) return { tokens: estimate(messages), estimated: true }
      try {
        let tokens = 0
        for (const message of messages) {
          let own = counted.get(message)
          if (own === undefined) {
            own = AROUND + (await model.countTokens(textOf(message), signal))
            counted.set(message, own)
          }
          tokens += own
        }
        return { tokens }
      } catch {
        // The server does not count after all, or cannot be reached: whoever asks it for a reply will say so.
        return { tokens: estimate(messages), estimated: true }
      }
    },
    learn(messages, { input, estimated }) {
      const before = guessTokens(messages)
      if (estimated || input <= 0 || before === 0) return
      // What is further off than this counted something else.
      ratio = Math.min(Math.max(input / before, 1 / 4), 4)
    },
  }
}

const guessed = new WeakMap<ChatMessage, number>()
const sums = new Growing<ChatMessage, number>()

/** How many tokens messages are, about. Each is looked at once. */
export function guessTokens(messages: readonly ChatMessage[]): number {
  const { count, made } = sums.take(messages) ?? { count: 0, made: 0 }
  let tokens = made
  for (let at = count; at < messages.length; at++) {
    const message = messages[at]!
    let own = guessed.get(message)
    if (own === undefined) guessed.set(message, (own = AROUND + estimateTokens(textOf(message))))
    tokens += own
  }
  sums.keep(messages, tokens)
  return tokens
}

/** What a chat template writes around a message. */
const AROUND = 4

function textOf(message: ChatMessage): string {
  const calls = message.role === 'assistant' ? message.calls : undefined
  return calls ? `${message.content}${JSON.stringify(calls)}` : message.content
}
