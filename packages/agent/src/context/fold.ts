import type { ChatMessage } from '../model/chat-message.ts'

/** For a model without a system: what it would say stands before what the user says first, or is said by the user. */
export function foldSystem(messages: readonly ChatMessage[]): ChatMessage[] {
  const first = messages.findIndex(({ role }) => role !== 'system')
  const begin = first < 0 ? messages.length : first
  const system = messages.slice(0, begin).map(({ content }) => content)
  const rest = messages.slice(begin).map(asUser)
  if (system.length === 0) return rest
  const [next] = rest
  const own: ChatMessage = {
    role: 'user',
    content: [...system, ...(next?.role === 'user' ? [next.content] : [])].join('\n\n'),
  }
  return [own, ...(next?.role === 'user' ? rest.slice(1) : rest)]
}

function asUser(message: ChatMessage): ChatMessage {
  return message.role === 'system' ? { role: 'user', content: message.content } : message
}

/** Messages of one role that follow each other, as one. Calls and answers to them stay by themselves. */
export function merge(messages: readonly ChatMessage[]): ChatMessage[] {
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
