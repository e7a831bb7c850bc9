import type { Message } from '@toolglot/agent'
import { Conversation, type KeptReplies } from '@toolglot/agent/adapter/internal'
import type { ConversationItem } from './request.ts'

/** The messages of a conversation: results that follow each other become one message, and replies are as the model wrote them. */
export function messagesOf(
  items: readonly ConversationItem[],
  owner: string,
  kept: KeptReplies,
): readonly Message[] {
  const conversation = new Conversation(kept, owner)
  for (const item of joinReplies(items)) {
    if (item.role === 'result')
      conversation.addResult(item.call, 'unknown', { output: item.output })
    else if (item.role === 'assistant')
      conversation.addReply({ text: item.content, calls: item.calls })
    else conversation.add(item)
  }
  return conversation.messages
}

/** Some clients send the text of a reply and its calls as several messages. A model that wrote one reply is shown one. */
function joinReplies(items: readonly ConversationItem[]): readonly ConversationItem[] {
  const joined: ConversationItem[] = []
  /** The texts of a reply that is not over. */
  let texts: string[] = []
  items.forEach((item, at) => {
    if (item.role !== 'assistant') {
      joined.push(item)
      return
    }
    if (item.content !== '') texts.push(item.content)
    if (item.calls.length === 0 && items[at + 1]?.role === 'assistant') return
    joined.push({ ...item, content: texts.join('\n\n') })
    texts = []
  })
  return joined
}
