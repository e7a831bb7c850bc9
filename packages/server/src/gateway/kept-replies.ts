import type { Message } from '@toolglot/agent'
import { BoundedMap } from '../anywhere/bounded-map.ts'
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
  readonly #replies: BoundedMap<KeptReply>

  constructor(maxCharacters: number) {
    this.#replies = new BoundedMap(maxCharacters)
  }

  keep(owner: string, reply: KeptReply): void {
    const [first] = reply.calls
    if (first) this.#replies.set(keyOf(owner, first.id), reply, sizeOf(reply))
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
