import type { ChatMessage } from '../model/chat-message.ts'

/** For models without a system role: its text goes before the first user message, or becomes a user message. */
export function foldSystemIntoUser(messages: readonly ChatMessage[]): ChatMessage[] {
  const first = messages.findIndex(({ role }) => role !== 'system')
  const start = first < 0 ? messages.length : first
  const system = messages.slice(0, start).map(({ content }) => content)
  const rest = messages.slice(start).map(asUser)
  if (system.length === 0) return rest
  const [next] = rest
  const user: ChatMessage = {
    role: 'user',
    content: [...system, ...(next?.role === 'user' ? [next.content] : [])].join('\n\n'),
  }
  return [user, ...(next?.role === 'user' ? rest.slice(1) : rest)]
}

function asUser(message: ChatMessage): ChatMessage {
  return message.role === 'system' ? { role: 'user', content: message.content } : message
}

/** Merges consecutive messages of one role. Native calls and their results are not merged. */
export function mergeSameRole(messages: readonly ChatMessage[]): ChatMessage[] {
  const merged: ChatMessage[] = []
  for (const message of messages) {
    const last = merged.at(-1)
    if (last && last.role === message.role && isText(last) && isText(message)) {
      const content = [last.content, message.content].filter((part) => part !== '').join('\n\n')
      merged[merged.length - 1] = { role: last.role, content }
    } else merged.push(message)
  }
  return merged
}

function isText(message: ChatMessage): boolean {
  return !('calls' in message) && !('call' in message)
}
