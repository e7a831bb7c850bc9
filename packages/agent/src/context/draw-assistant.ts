import { neutralise, parse, printCalls, protocols } from '@toolglot/core'
import type { ChatMessage } from '../model/chat-message.ts'
import type { ChatRendering } from './chat-rendering.ts'
import type { AssistantMessage } from './message.ts'

/** A turn of the model's: to the letter where it wrote as it is to write now, else printed anew from its calls. */
export function drawAssistant(message: AssistantMessage, rendering: ChatRendering): ChatMessage {
  const { content, calls = [], native, protocol: written } = message
  const { protocol } = rendering
  if (!protocol) {
    const text =
      native || (calls.length === 0 && written === undefined) ? content : said(message, rendering)
    return { role: 'assistant', content: text, ...(calls.length > 0 && { calls }) }
  }
  if (!native && (written === undefined || written === protocol.id))
    return { role: 'assistant', content }
  const text = native ? content : said(message, rendering)
  const parts = [text, calls.length > 0 ? printCalls(protocol, calls) : '']
  return { role: 'assistant', content: parts.filter((part) => part !== '').join('\n') }
}

/** What it said beside its calls. */
function said(
  { content, calls = [], protocol }: AssistantMessage,
  rendering: ChatRendering,
): string {
  const { tools } = rendering
  const known =
    protocol !== undefined && Object.hasOwn(protocols, protocol) ? protocols[protocol] : undefined
  const text = parse(content, { tools, ...(known && { protocols: known }) }).text.trim()
  // All of it was marks and thoughts: that it said something stays, that it called something does not.
  return text === '' && calls.length === 0
    ? neutralise(content, { tools, protocols: rendering.protocol })
    : text
}
