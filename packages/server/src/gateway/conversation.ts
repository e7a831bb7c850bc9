import type { Message } from '@toolglot/agent'
import { Conversation, type KeptReplies } from '@toolglot/agent/adapter/internal'
import type { ConversationCall, ConversationItem, ResultImage } from './request.ts'

/** How the messages of a conversation are made. */
export interface MessageOptions {
  readonly kept: KeptReplies
  readonly owner: string
  /** Whether the model takes images. */
  readonly images: boolean
  /** Called with the parts that are left out. */
  readonly note: (note: string) => void
}

/** The messages of a conversation: results that follow each other become one message, and replies are as the model wrote them. */
export function messagesOf(
  items: readonly ConversationItem[],
  { kept, owner, images: takesImages, note }: MessageOptions,
): readonly Message[] {
  const conversation = new Conversation(kept, owner)
  /** Images of the results so far. Results are text, so these follow as a message of the user. */
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
    // The model refuses a new image. One that was refused before, or that another model saw, must not end the conversation.
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

/** An agent cannot know whether its model takes images, and repeats a result forever: failing would end the conversation. */
const UNSEEN = '(An image, which you cannot see.)'

/** Some APIs send the text of a reply and each of its calls as several items. A model that wrote one reply is shown one. */
function joinReplies(items: readonly ConversationItem[]): readonly ConversationItem[] {
  const joined: ConversationItem[] = []
  /** The part of an unfinished reply that was read. */
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
