import { canonicalJson } from '@toolglot/permissions/internal'
import type { AssistantMessage } from '../context/message.ts'
import type { MessageCall } from '../model/chat-message.ts'
import { BoundedMap } from './bounded-map.ts'

/** A reply with calls, as others were shown it. */
export interface ShownReply {
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
