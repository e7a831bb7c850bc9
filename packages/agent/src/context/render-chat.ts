import { neutralize, printResults } from '@toolglot/core'
import type { ChatMessage } from '../model/chat-message.ts'
import type { ChatRendering } from './chat-rendering.ts'
import { renderAssistant } from './render-assistant.ts'
import { addToolPrompt } from './render-tools.ts'
import { renderNativeResults } from './render-native-results.ts'
import { foldSystemIntoUser, mergeSameRole } from './merge-messages.ts'
import { PrefixCache } from '../model/prefix-cache.ts'
import type { Message, ResultsMessage } from './message.ts'

/** What a chat API requires of the rendered messages. */
export interface RenderOptions {
  /** User and assistant must alternate: consecutive messages of one role are merged. */
  readonly alternate?: boolean
  /** The messages are sent as one text: marks that could end a turn are neutralized in user messages, too. */
  readonly raw?: boolean
}

/**
 * Renders messages for a model. Text that the model wrote stays exactly as it was; results are neutralized. A message is
 * rendered once and stays the same in later turns, so that servers can reuse their prompt cache.
 */
export function renderChat(
  messages: readonly Message[],
  rendering: ChatRendering,
  { alternate = false, raw = false }: RenderOptions = {},
): ChatMessage[] {
  const history = addToolPrompt(messages, rendering)
  const before = histories.take(history)
  const isKnown = before && before.value.raw === raw && isSame(before.value.rendering, rendering)
  const rendered = isKnown ? before.value.rendered.slice() : []
  for (let i = isKnown ? before.length : 0; i < history.length; i++) {
    for (const message of renderOnce(history[i]!, history[i - 1], history[i + 1], rendering, raw)) {
      rendered.push(message)
    }
  }
  // Whether native calls at the end lack results is known only when the next message is there.
  if (rendering.protocol || history.at(-1)?.role !== 'assistant')
    histories.store(history, { rendering, raw, rendered })
  const folded = rendering.roles.includes('system') ? rendered : foldSystemIntoUser(rendered)
  return alternate ? mergeSameRole(folded) : folded
}

/** The rendered messages of whole histories. */
const histories = new PrefixCache<
  Message,
  { readonly rendering: ChatRendering; readonly raw: boolean; readonly rendered: ChatMessage[] }
>()

/** Neutralizes chat-template tokens in text from people and files. */
function neutralizeText(text: string, { tools, protocol }: ChatRendering): string {
  return neutralize(text, { tools, protocols: protocol })
}

/** A rendered message, and everything that its rendering depends on. */
interface RenderedMessage {
  readonly rendering: ChatRendering
  readonly raw: boolean
  /** Only native function calling depends on the surrounding messages. */
  readonly before: Message | undefined
  readonly isAnswered: boolean
  readonly rendered: readonly ChatMessage[]
}

const renderedMessages = new WeakMap<Message, RenderedMessage>()

function renderOnce(
  message: Message,
  before: Message | undefined,
  next: Message | undefined,
  rendering: ChatRendering,
  raw: boolean,
): readonly ChatMessage[] {
  const isText = rendering.protocol !== undefined
  const previous = isText ? undefined : before
  const isAnswered = isText || next?.role === 'results'
  const known = renderedMessages.get(message)
  if (
    known &&
    isSame(known.rendering, rendering) &&
    known.raw === raw &&
    known.before === previous &&
    known.isAnswered === isAnswered
  )
    return known.rendered
  const rendered = renderMessage(message, previous, isAnswered, rendering, raw)
  renderedMessages.set(message, { rendering, raw, before: previous, isAnswered, rendered })
  return rendered
}

function isSame(one: ChatRendering, other: ChatRendering): boolean {
  return (
    one === other ||
    (one.protocol === other.protocol &&
      one.tools === other.tools &&
      one.resultRole === other.resultRole &&
      one.roles.length === other.roles.length &&
      one.roles.every((role) => other.roles.includes(role)))
  )
}

function renderMessage(
  message: Message,
  before: Message | undefined,
  isAnswered: boolean,
  rendering: ChatRendering,
  raw: boolean,
): readonly ChatMessage[] {
  switch (message.role) {
    case 'system':
      return [{ role: 'system', content: message.content }]
    case 'user':
      return [
        {
          role: 'user',
          content: raw ? neutralizeText(message.content, rendering) : message.content,
        },
      ]
    case 'assistant': {
      const assistant = renderAssistant(message, rendering)
      const missing = isAnswered ? [] : renderNativeResults(message, undefined, rendering)
      return [assistant, ...missing]
    }
    case 'results':
      return rendering.protocol
        ? renderResults(message, rendering)
        : renderNativeResults(before?.role === 'assistant' ? before : undefined, message, rendering)
  }
}

function renderResults(
  { results, notes = [] }: ResultsMessage,
  { protocol, tools, resultRole, roles }: ChatRendering,
): ChatMessage[] {
  const printed = results.length > 0 ? [printResults(protocol!, results, { tools })] : []
  const content = [...printed, ...notes].join('\n\n')
  if (content === '') return []
  const isSupported = resultRole !== 'user' && roles.includes(resultRole)
  // Notes without results are not a tool's output.
  const isTool = isSupported && resultRole === 'tool' && results.length > 0
  const isSystem = isSupported && resultRole === 'system'
  return [{ role: isTool ? 'tool' : isSystem ? 'system' : 'user', content }]
}
