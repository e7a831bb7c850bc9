import type { Message } from '@toolglot/agent'
import type { ConversationCall } from './request.ts'

type AssistantMessage = Extract<Message, { role: 'assistant' }>

/** A reply with calls, and what the client was sent of it. */
export interface KeptReply {
  /** As the model wrote it. */
  readonly message: AssistantMessage
  /** The text that the client was sent. */
  readonly text: string
  readonly calls: readonly ConversationCall[]
}

/**
 * Keeps replies as models wrote them, by the ids of their calls. What comes back from a client is sent to the model in its own
 * words: then the prompt continues the last one, and servers reuse what they have read. The oldest are forgotten first.
 */
export class KeptReplies {
  readonly #replies = new Map<string, KeptReply>()
  readonly #maxCharacters: number
  #characters = 0

  constructor(maxCharacters: number) {
    this.#maxCharacters = maxCharacters
  }

  keep(owner: string, reply: KeptReply): void {
    const [first] = reply.calls
    const size = sizeOf(reply)
    if (!first || size > this.#maxCharacters) return
    this.#replies.set(keyOf(owner, first.id), reply)
    this.#characters += size
    for (const [key, oldest] of this.#replies) {
      if (this.#characters <= this.#maxCharacters) break
      this.#replies.delete(key)
      this.#characters -= sizeOf(oldest)
    }
  }

  /** The reply that a client sends back unchanged, or without its text. */
  find(
    owner: string,
    { content, calls }: { readonly content: string; readonly calls: readonly ConversationCall[] },
  ): KeptReply | undefined {
    const [first] = calls
    const reply = first && this.#replies.get(keyOf(owner, first.id))
    if (!reply || reply.calls.length !== calls.length) return undefined
    const isSame = calls.every((call, at) => isSameCall(call, reply.calls[at]!))
    const text = content.trim()
    return isSame && (text === '' || text === reply.text.trim()) ? reply : undefined
  }
}

function keyOf(owner: string, id: string): string {
  return JSON.stringify([owner, id])
}

/** What a reply takes in memory, roughly, in characters. */
function sizeOf({ message, text }: KeptReply): number {
  return 2 * message.content.length + text.length + 500
}

function isSameCall(one: ConversationCall, other: ConversationCall): boolean {
  return (
    one.id === other.id &&
    one.name === other.name &&
    JSON.stringify(one.args) === JSON.stringify(other.args)
  )
}
