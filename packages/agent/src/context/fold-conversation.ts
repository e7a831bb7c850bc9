import type { ChatMessage } from '../model/chat-message.ts'

/**
 * Labels look like tokens of chat templates, but no model has such tokens. So `neutralize` makes
 * them inert in results like any other token, and `restore` and `restoreArguments` undo that with
 * any options of the run. Only this file handles labels.
 */
const LABEL = /<(?=\|from (?:system|user|assistant|tool)\|>)/g

/**
 * A WORD JOINER after the first character: `neutralize` inserts it into marks, and `restore`
 * removes it.
 */
const INERT = '<\u2060'

/**
 * Writes a conversation as a single string, for models that accept nothing else, such as web pages:
 * the system text, then each turn under a label, and finally the label of the reply. A single user
 * message is sent without labels. The text between labels cannot contain a label.
 *
 *     Be brief.
 *
 *     <|from user|>
 *     Is a up?
 *
 *     <|from assistant|>
 */
export function foldConversation(messages: readonly ChatMessage[]): string {
  const [first, ...others] = messages
  if (first?.role === 'user' && others.length === 0) return textIn(first)
  const turns = messages.map((message, at) => {
    const text = textIn(message)
    return at === 0 && message.role === 'system' ? text : `${labelOf(message.role)}\n${text}`
  })
  return [...turns, `${labelOf('assistant')}\n`].join('\n\n')
}

function labelOf(role: ChatMessage['role']): string {
  return `<|from ${role}|>`
}

function textIn(message: ChatMessage): string {
  if (message.role === 'assistant' && message.calls?.length)
    throw new TypeError(
      'Native calls cannot be written as text. Render the messages with a protocol first.',
    )
  const { content } = message
  const parts = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content
  const texts = parts.map((part) => {
    if (part.type === 'text') return part.text
    throw new TypeError(
      'An image cannot be written as text. Remove it, or use a model that accepts images.',
    )
  })
  return texts.join('\n\n').replace(LABEL, INERT)
}
