import type { Message, MessageCall } from '@toolglot/agent'
import type { KeptReplies } from '@toolglot/agent/adapter/internal'
import type { ConversationItem } from './request.ts'

type ResultsMessage = Extract<Message, { role: 'results' }>

/** The messages of a conversation: results that follow each other become one message, and replies are as the model wrote them. */
export function messagesOf(
  items: readonly ConversationItem[],
  owner: string,
  kept: KeptReplies,
): readonly Message[] {
  const messages: Message[] = []
  /** The calls so far, by the id that the client knows. */
  const calls = new Map<string, MessageCall>()
  let results: ResultsMessage['results'][number][] | undefined
  for (const item of joinReplies(items)) {
    if (item.role === 'result') {
      const { call: id, output } = item
      const result = { call: calls.get(id) ?? { id, name: 'unknown', args: {} }, output }
      if (results) results.push(result)
      else messages.push({ role: 'results', results: (results = [result]) })
      continue
    }
    results = undefined
    if (item.role !== 'assistant') {
      messages.push(item)
      continue
    }
    const { content } = item
    const reply = kept.find({ text: content, calls: item.calls }, owner)
    // The model may have given its calls ids of its own.
    const own = reply?.calls ?? item.calls
    item.calls.forEach((call, at) => calls.set(call.id, own[at] ?? call))
    if (reply) messages.push(reply)
    else messages.push({ role: 'assistant', content, ...(own.length > 0 && { calls: own }) })
  }
  return messages
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
