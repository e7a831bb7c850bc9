import { canonicalJson } from '@toolglot/permissions/internal'
import type { CallResult, Message, AssistantMessage } from '../context/message.ts'
import type { MessageCall } from '../model/chat-message.ts'
import { BoundedMap } from './bounded-map.ts'

/**
 * The messages of a conversation stored by a client: original replies of the model, results matched
 * to their calls, and consecutive results merged into one message.
 */
export class Conversation {
  readonly messages: Message[] = []
  readonly #kept: KeptReplies
  readonly #owner: string | undefined
  /** The model's original calls so far, by the ids shown to the client. */
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

  /**
   * Adds a reply: the model's original if it is known, or else a reply with this content. Returns
   * the content of the original.
   */
  addReply(reply: ShownReply, content: string = reply.text): string | undefined {
    const { calls } = reply
    const written = this.#kept.find(reply, this.#owner)
    // The model may have used its own call ids.
    calls.forEach((call, at) => this.#calls.set(call.id, written?.calls?.[at] ?? call))
    this.add(written ?? { role: 'assistant', content, ...(calls.length > 0 && { calls }) })
    return written?.content
  }

  /**
   * Adds the result of the call with this id. `name` is the tool name to use if there is no such
   * call.
   */
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

/** A reply with calls, as shown to the client. */
interface ShownReply {
  readonly text: string
  readonly calls: readonly MessageCall[]
}

interface KeptReply extends ShownReply {
  readonly message: AssistantMessage
}

/**
 * Keeps the original text of replies with calls, by the ids of the calls. When a client sends a
 * reply back, the model receives the original text, so the prompt is a continuation of the previous
 * one and servers can reuse their prompt cache. The oldest replies are dropped first.
 */
export class KeptReplies {
  readonly #replies: BoundedMap<KeptReply>

  constructor(maxCharacters: number) {
    this.#replies = new BoundedMap(maxCharacters)
  }

  /** Keeps a reply for this owner only. */
  keep({ text, calls }: ShownReply, message: AssistantMessage, owner = ''): void {
    const [first] = calls
    if (!first) return
    const shown = calls.map(({ id, name, args }) => ({ id, name, args }))
    const size = 2 * message.content.length + text.length + MIN_SIZE
    this.#replies.set(keyOf(owner, first.id), { text, calls: shown, message }, size)
  }

  /** The model's original reply, if the client sent it back unchanged or without its text. */
  find({ text, calls }: ShownReply, owner = ''): AssistantMessage | undefined {
    const [first] = calls
    const reply = first && this.#replies.get(keyOf(owner, first.id))
    if (!reply || reply.calls.length !== calls.length) return undefined
    const back = text.trim()
    if (back !== '' && back !== reply.text.trim()) return undefined
    const isSame = calls.every((call, at) => isSameCall(call, reply.calls[at]!))
    return isSame ? reply.message : undefined
  }
}

/** The approximate size of a reply without its text, in characters. */
const MIN_SIZE = 500

function keyOf(owner: string, id: string): string {
  return JSON.stringify([owner, id])
}

/** The order of keys is ignored, because checking arguments may change it. */
function isSameCall(one: MessageCall, other: MessageCall): boolean {
  if (one.id !== other.id || one.name !== other.name) return false
  return canonicalJson(one.args) === canonicalJson(other.args)
}
