import { type ChatMessage, type Content, type ContentPart, textOf } from '../model/chat-message.ts'

/**
 * For models without a system role: adds the system text before the first user message, or makes it
 * a user message.
 */
export function foldSystemIntoUser(messages: readonly ChatMessage[]): ChatMessage[] {
  const first = messages.findIndex(({ role }) => role !== 'system')
  const start = first < 0 ? messages.length : first
  const system = messages.slice(0, start).map(({ content }) => content)
  const rest = messages.slice(start).map(asUser)
  if (system.length === 0) return rest
  const [next, ...others] = rest
  return next?.role === 'user'
    ? [{ role: 'user', content: joinContents([...system, next.content]) }, ...others]
    : [{ role: 'user', content: joinContents(system) }, ...rest]
}

/** Converts a system message to a user message. Other messages are returned unchanged. */
export function asUser(message: ChatMessage): ChatMessage {
  return message.role === 'system' ? { role: 'user', content: message.content } : message
}

/** Merges consecutive messages with the same role, except native calls and their results. */
export function mergeSameRole(messages: readonly ChatMessage[]): ChatMessage[] {
  const groups: ChatMessage[][] = []
  for (const message of messages) {
    const group = groups.at(-1)
    const last = group?.at(-1)
    if (last && last.role === message.role && isText(last) && isText(message)) group!.push(message)
    else groups.push([message])
  }
  return groups.map(([first, ...others]) => {
    if (others.length === 0) return first!
    const content = joinContents([first!, ...others].map((message) => message.content))
    // Only user messages have images.
    return { role: first!.role, content } as ChatMessage
  })
}

function isText(message: ChatMessage): boolean {
  return !('calls' in message) && !('call' in message)
}

/** Joins contents. Adjacent pieces of text are concatenated, and images keep their places. */
export function joinContents(contents: readonly Content[]): Content {
  const joined: ContentPart[] = []
  for (const part of contents.flatMap(partsOf)) {
    const last = joined.at(-1)
    if (part.type !== 'text' || last?.type !== 'text') joined.push(part)
    else joined[joined.length - 1] = { type: 'text', text: `${last.text}\n\n${part.text}` }
  }
  return joined.some(({ type }) => type === 'image') ? joined : textOf(joined)
}

function partsOf(content: Content): readonly ContentPart[] {
  const parts = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content
  return parts.filter((part) => part.type !== 'text' || part.text !== '')
}
