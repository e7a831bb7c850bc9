import type { Message, MessageCall } from '@toolglot/agent'

type AssistantMessage = Extract<Message, { role: 'assistant' }>

/** A reply with calls as the SDK knows it. */
export interface SeenReply {
  readonly text: string
  readonly calls: readonly MessageCall[]
}

interface KeptReply extends SeenReply {
  readonly message: AssistantMessage
}

/**
 * Keeps replies with calls as the model wrote them, by the id of their first call. In the next step the model sees its own
 * words and reasoning, and its server need not read them again. The oldest are forgotten first.
 */
export class KeptReplies {
  readonly #replies = new Map<string, KeptReply>()
  readonly #maxCharacters: number
  #characters = 0

  constructor(maxCharacters: number) {
    this.#maxCharacters = maxCharacters
  }

  keep(seen: SeenReply, message: AssistantMessage): void {
    const [first] = seen.calls
    if (!first) return
    const reply = { ...seen, message }
    this.#replies.set(first.id, reply)
    this.#characters += sizeOf(reply)
    for (const [id, oldest] of this.#replies) {
      if (this.#characters <= this.#maxCharacters) break
      this.#replies.delete(id)
      this.#characters -= sizeOf(oldest)
    }
  }

  /** The reply as the model wrote it, unless it was changed since. */
  find({ text, calls }: SeenReply): AssistantMessage | undefined {
    const [first] = calls
    const reply = first && this.#replies.get(first.id)
    if (!reply || reply.calls.length !== calls.length || reply.text.trim() !== text.trim())
      return undefined
    const isSame = calls.every((call, at) => isSameCall(call, reply.calls[at]!))
    return isSame ? reply.message : undefined
  }
}

/** What a reply takes in memory, roughly, in characters. */
function sizeOf({ message, text }: KeptReply): number {
  return 2 * message.content.length + text.length + 500
}

function isSameCall(one: MessageCall, other: MessageCall): boolean {
  return one.id === other.id && one.name === other.name && sorted(one.args) === sorted(other.args)
}

/** JSON with sorted keys: what checks arguments may change their order. */
function sorted(args: MessageCall['args']): string {
  return JSON.stringify(args, (_, value: unknown) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    return Object.fromEntries(
      Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)),
    )
  })
}
