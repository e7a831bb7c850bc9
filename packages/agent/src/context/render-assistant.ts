import { neutralize, parse, printCalls, protocols } from '@toolglot/core'
import type { ChatMessage } from '../model/chat-message.ts'
import type { ChatRendering } from './chat-rendering.ts'
import type { AssistantMessage } from './message.ts'

/** Renders an assistant message: unchanged if it was written in the current protocol, else printed again from its calls. */
export function renderAssistant(message: AssistantMessage, rendering: ChatRendering): ChatMessage {
  const { content, calls = [], native, protocol: written } = message
  const { protocol } = rendering
  if (!protocol) {
    const text =
      native || (calls.length === 0 && written === undefined)
        ? content
        : textWithoutCalls(message, rendering)
    return { role: 'assistant', content: text, ...(calls.length > 0 && { calls }) }
  }
  if (!native && (written === undefined || written === protocol.id))
    return { role: 'assistant', content }
  const text = native ? content : textWithoutCalls(message, rendering)
  const parts = [text, calls.length > 0 ? printCalls(protocol, calls) : '']
  return { role: 'assistant', content: parts.filter((part) => part !== '').join('\n') }
}

/** The text of a message besides its calls. */
function textWithoutCalls(
  { content, calls = [], protocol }: AssistantMessage,
  rendering: ChatRendering,
): string {
  const { tools } = rendering
  const known =
    protocol !== undefined && Object.hasOwn(protocols, protocol) ? protocols[protocol] : undefined
  const text = parse(content, { tools, ...(known && { protocols: known }) }).text.trim()
  // It was only marks and reasoning: the text stays, but must not be read as a call.
  return text === '' && calls.length === 0
    ? neutralize(content, { tools, protocols: rendering.protocol })
    : text
}
