import type { Message } from '@toolglot/agent'
import { Conversation, type KeptReplies } from '@toolglot/agent/adapter/internal'
import type { ConversationCall, ConversationItem, ResultImage } from './request.ts'

/** Options for building the messages of a conversation. */
export interface MessageOptions {
  readonly kept: KeptReplies
  readonly owner: string
  /** True if the model accepts images. */
  readonly images: boolean
  /** Called with a note for each omitted part. */
  readonly note: (note: string) => void
}

/**
 * Builds the messages of a conversation. Consecutive results become one message, and replies are
 * shown as the model wrote them.
 */
export function messagesOf(
  items: readonly ConversationItem[],
  { kept, owner, images: takesImages, note }: MessageOptions,
): readonly Message[] {
  const conversation = new Conversation(kept, owner)
  /** The images of the results so far. Results are text, so the images follow in a user message. */
  let images: ResultImage[] = []
  const showImages = (): void => {
    if (images.length === 0) return
    const text = images.length === 1 ? 'The image in the results:' : 'The images in the results:'
    conversation.add({ role: 'user', content: [{ type: 'text', text }, ...images] })
    images = []
  }
  const joined = joinReplies(items)
  const lastReply = joined.map(({ role }) => role).lastIndexOf('assistant')
  for (const [at, item] of joined.entries()) {
    if (item.role === 'result') {
      const { call, output, failed } = item
      const shown = item.images ?? []
      if (takesImages) images.push(...shown)
      else if (shown.length > 0) note('dropped:image')
      const missing = takesImages ? [] : shown.map(() => UNSEEN)
      conversation.addResult(call, 'unknown', {
        output: [output, ...missing].filter((text) => text !== '').join('\n\n'),
        failed,
      })
      continue
    }
    showImages()
    if (item.role === 'assistant') conversation.addReply({ text: item.content, calls: item.calls })
    // An image in a new user message is rejected. An older one, which was rejected before or seen
    // by another model, must not end the conversation.
    else if (takesImages || at > lastReply || typeof item.content === 'string')
      conversation.add(item)
    else {
      const parts = item.content.map((part) => (part.type === 'text' ? part.text : UNSEEN))
      if (parts.includes(UNSEEN)) note('dropped:image')
      conversation.add({ role: 'user', content: parts.join('\n\n') })
    }
  }
  showImages()
  return conversation.messages
}

/**
 * An agent cannot know whether its model accepts images, and repeats each result in every request,
 * so failing would end the conversation.
 */
const UNSEEN = '(An image, which you cannot see.)'

/**
 * Some APIs send the text of a reply and each of its calls as separate items. They are joined into
 * the one reply that the model wrote.
 */
function joinReplies(items: readonly ConversationItem[]): readonly ConversationItem[] {
  const joined: ConversationItem[] = []
  /** The collected parts of the current reply. */
  let texts: string[] = []
  let calls: ConversationCall[] = []
  items.forEach((item, at) => {
    if (item.role !== 'assistant') {
      joined.push(item)
      return
    }
    if (item.content !== '') texts.push(item.content)
    calls.push(...item.calls)
    if (items[at + 1]?.role === 'assistant') return
    joined.push({ ...item, content: texts.join('\n\n'), calls })
    texts = []
    calls = []
  })
  return joined
}
