import type { CallResult, Message } from '../context/message.ts'
import type { MessageCall } from '../model/chat-message.ts'
import type { KeptReplies, ShownReply } from './kept-replies.ts'

/**
 * The messages of a conversation that others keep: replies are as the model wrote them, results belong to its calls, and results
 * that follow each other are one message.
 */
export class Conversation {
  readonly messages: Message[] = []
  readonly #kept: KeptReplies
  readonly #owner: string | undefined
  /** The calls so far, as the model knows them, by the ids that others know. */
  readonly #calls = new Map<string, MessageCall>()
  #results: CallResult[] | undefined

  constructor(kept: KeptReplies, owner?: string) {
    this.#kept = kept
    this.#owner = owner
  }

  /** Adds a message. */
  add(message: Message): void {
    this.#results = undefined
    this.messages.push(message)
  }

  /** Adds a reply. If the model's own words are not known, it has this content. Returns them if they are. */
  addReply(reply: ShownReply, content: string = reply.text): string | undefined {
    const { calls } = reply
    const written = this.#kept.find(reply, this.#owner)
    // The model may have given its calls ids of its own.
    calls.forEach((call, at) => this.#calls.set(call.id, written?.calls?.[at] ?? call))
    this.add(written ?? { role: 'assistant', content, ...(calls.length > 0 && { calls }) })
    return written?.content
  }

  /** Adds the result of the call that others know by this id. The name is that of its tool, should there be no such call. */
  addResult(id: string, name: string, result: Omit<CallResult, 'call'>): void {
    const call = this.#calls.get(id) ?? { id, name, args: {} }
    if (!this.#results) {
      const results: CallResult[] = []
      this.add({ role: 'results', results })
      this.#results = results
    }
    this.#results.push({ call, ...result })
  }
}
