import { neutralize, printResults } from '@toolglot/core'
import type { ChatMessage, Content } from '../model/chat-message.ts'
import { callAdvice } from './call-advice.ts'
import { areToolsInRequest, type ChatRendering } from './chat-rendering.ts'
import { renderAssistant } from './render-assistant.ts'
import { renderSystem } from './render-system.ts'
import { asUser, foldSystemIntoUser, joinContents, mergeSameRole } from './merge-messages.ts'
import { PrefixCache } from '../model/prefix-cache.ts'
import type { Message, ResultsMessage, AssistantMessage, CallResult } from './message.ts'

/** The requirements of a chat API. */
export interface RenderOptions {
  /**
   * User and assistant messages must alternate, so consecutive messages with the same role are
   * merged.
   */
  readonly alternate?: boolean | undefined
  /**
   * The messages are sent as one string, so marks that could end a turn are neutralized in user
   * messages too.
   */
  readonly raw?: boolean | undefined
}

/**
 * Renders messages for a model. Text written by the model is not changed, and results are
 * neutralized. Each message is rendered once and stays the same in later turns, so that servers can
 * reuse their prompt cache: the rendering of a longer history starts with the rendering of any
 * shorter one. There are two exceptions, neither of which is ever sent: an incomplete group of
 * system messages at the start, which are rendered together, and native calls without their
 * results.
 */
export function renderChat(
  messages: readonly Message[],
  rendering: ChatRendering,
  options?: RenderOptions,
): ChatMessage[] {
  return renderHistory(messages.slice(), rendering, options)
}

/**
 * Like `renderChat`, but for a list that does not change afterwards, so the rendering is cached.
 */
export function renderHistory(
  messages: readonly Message[],
  rendering: ChatRendering,
  { alternate = false, raw = false }: RenderOptions = {},
): ChatMessage[] {
  const history = renderSystem(messages, rendering)
  const before = histories.take(history)
  const isKnown = before && before.value.raw === raw && isSame(before.value.rendering, rendering)
  const rendered = isKnown ? before.value.rendered.slice() : []
  for (let i = isKnown ? before.length : 0; i < history.length; i++) {
    for (const message of renderOnce(history, i, rendering, raw)) rendered.push(message)
  }
  // Native calls may lack results, and only the next message shows whether they do.
  if (!areToolsInRequest(rendering) || history.at(-1)?.role !== 'assistant')
    histories.store(history, { rendering, raw, rendered })
  const folded = rendering.roles.includes('system') ? rendered : foldSystemIntoUser(rendered)
  return alternate ? mergeSameRole(folded) : folded
}

/** The cached renderings of whole histories. */
const histories = new PrefixCache<
  Message,
  { readonly rendering: ChatRendering; readonly raw: boolean; readonly rendered: ChatMessage[] }
>()

/** Neutralizes chat-template tokens in text from people and files. */
function neutralizeTexts(content: Content, { tools, protocol }: ChatRendering): Content {
  const inert = (text: string): string => neutralize(text, { tools, protocols: protocol })
  if (typeof content === 'string') return inert(content)
  return content.map((part) => (part.type === 'text' ? { ...part, text: inert(part.text) } : part))
}

/** A rendered message and the inputs that its rendering depends on. */
interface RenderedMessage {
  readonly rendering: ChatRendering
  readonly raw: boolean
  /** True if the message follows other messages. This matters for system messages. */
  readonly isLater: boolean
  /** Only native calls and their results depend on the surrounding messages. */
  readonly before: Message | undefined
  readonly isAnswered: boolean
  readonly rendered: readonly ChatMessage[]
}

const renderedMessages = new WeakMap<Message, RenderedMessage>()

function renderOnce(
  history: readonly Message[],
  at: number,
  rendering: ChatRendering,
  raw: boolean,
): readonly ChatMessage[] {
  const message = history[at]!
  const isInRequest = areToolsInRequest(rendering)
  const isLater = at > 0
  const before = isInRequest ? history[at - 1] : undefined
  const isAnswered = !isInRequest || history[at + 1]?.role === 'results'
  const known = renderedMessages.get(message)
  if (
    known &&
    isSame(known.rendering, rendering) &&
    known.raw === raw &&
    known.isLater === isLater &&
    known.before === before &&
    known.isAnswered === isAnswered
  )
    return known.rendered
  const place = { rendering, raw, isLater, before, isAnswered }
  const rendered = renderMessage(message, place)
  renderedMessages.set(message, { ...place, rendered })
  return rendered
}

function isSame(one: ChatRendering, other: ChatRendering): boolean {
  return (
    one === other ||
    (one.protocol === other.protocol &&
      one.tools === other.tools &&
      one.toolsIn === other.toolsIn &&
      one.laterSystem === other.laterSystem &&
      one.resultRole === other.resultRole &&
      one.roles.length === other.roles.length &&
      one.roles.every((role) => other.roles.includes(role)))
  )
}

function renderMessage(
  message: Message,
  { rendering, raw, isLater, before, isAnswered }: Omit<RenderedMessage, 'rendered'>,
): readonly ChatMessage[] {
  switch (message.role) {
    case 'system': {
      const system = { role: 'system' as const, content: message.content }
      return [isLater && !rendering.laterSystem ? asUser(system) : system]
    }
    case 'user': {
      // Joined like the contents of merged messages.
      const content = joinContents([message.content])
      return [{ role: 'user', content: raw ? neutralizeTexts(content, rendering) : content }]
    }
    case 'assistant': {
      const assistant = renderAssistant(message, rendering)
      const missing = isAnswered ? [] : renderNativeResults(message, undefined, rendering)
      return [assistant, ...missing]
    }
    case 'results':
      return areToolsInRequest(rendering)
        ? renderNativeResults(before?.role === 'assistant' ? before : undefined, message, rendering)
        : renderResults(message, rendering)
  }
}

function renderResults(
  { results, notes = [], printed: isPrinted }: ResultsMessage,
  { protocol, tools, resultRole, roles }: ChatRendering,
): ChatMessage[] {
  const outputs = results.map(({ data, ...result }) => ({
    ...result,
    output: data === undefined ? result.output : data,
  }))
  const printed = results.length > 0 ? [printResults(protocol!, outputs, { tools })] : []
  const content = [...printed, ...callAdvice(results, protocol), ...notes].join('\n\n')
  if (content === '') return []
  const isSupported = resultRole !== 'user' && roles.includes(resultRole)
  // Without results, notes are not output of a tool unless they were printed before.
  const isOutput = results.length > 0 || isPrinted === true
  const isTool = isSupported && resultRole === 'tool' && isOutput
  const isSystem = isSupported && resultRole === 'system'
  return [{ role: isTool ? 'tool' : isSystem ? 'system' : 'user', content }]
}

/**
 * Native function calling requires exactly one result for each call in a turn, in order. All other
 * messages follow them.
 */
function renderNativeResults(
  assistant: AssistantMessage | undefined,
  message: ResultsMessage | undefined,
  { protocol, tools, resultRole, roles }: ChatRendering,
): ChatMessage[] {
  const options = { tools, protocols: protocol }
  const remaining = new Set<CallResult>(message?.results)
  const answers = (assistant?.calls ?? []).map((call): ChatMessage => {
    const result = [...remaining].find((each) => each.call.id === call.id)
    if (result) remaining.delete(result)
    const content = result ? neutralize(result.output, options) : 'This call was not run.'
    return { role: 'tool', call: call.id, content }
  })
  const others = [...remaining].map(({ call, output }) =>
    neutralize(`${call.name}: ${output}`, options),
  )
  const { results = [], notes = [] } = message ?? {}
  const rest = [...others, ...callAdvice(results, undefined), ...notes].join('\n\n')
  const role = resultRole === 'system' && roles.includes('system') ? 'system' : 'user'
  return rest === '' ? answers : [...answers, { role, content: rest }]
}
