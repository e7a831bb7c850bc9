import { canonicalJson } from '@toolglot/permissions/internal'
import type { CallResult, Message, AssistantMessage } from '../context/message.ts'
import type { MessageCall } from '../model/chat-message.ts'
import { BoundedMap } from './bounded-map.ts'

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

/** A reply with calls, as others were shown it. */
interface ShownReply {
  readonly text: string
  readonly calls: readonly MessageCall[]
}

interface KeptReply extends ShownReply {
  readonly message: AssistantMessage
}

/**
 * Keeps replies with calls as models wrote them, by the ids of their calls. What comes back is sent to the model in its own
 * words: then the prompt continues the last one, and servers reuse what they have read. The oldest are forgotten first.
 */
export class KeptReplies {
  readonly #replies: BoundedMap<KeptReply>

  constructor(maxCharacters: number) {
    this.#replies = new BoundedMap(maxCharacters)
  }

  /** Keeps a reply, for this owner only. */
  keep({ text, calls }: ShownReply, message: AssistantMessage, owner = ''): void {
    const [first] = calls
    if (!first) return
    const shown = calls.map(({ id, name, args }) => ({ id, name, args }))
    const size = 2 * message.content.length + text.length + MIN_SIZE
    this.#replies.set(keyOf(owner, first.id), { text, calls: shown, message }, size)
  }

  /** The reply as the model wrote it, if it comes back unchanged, or without its text. */
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

/** What a reply takes in memory besides its texts, roughly, in characters. */
const MIN_SIZE = 500

function keyOf(owner: string, id: string): string {
  return JSON.stringify([owner, id])
}

/** What checks arguments may change the order of their keys. */
function isSameCall(one: MessageCall, other: MessageCall): boolean {
  if (one.id !== other.id || one.name !== other.name) return false
  return canonicalJson(one.args) === canonicalJson(other.args)
}
