import {
  parse,
  type Protocol,
  printCalls,
  protocols,
  neutralize,
  type Segment,
} from '@toolglot/core'
import type { ChatMessage, MessageCall } from '../model/chat-message.ts'
import { areToolsInRequest, type ChatRendering } from './chat-rendering.ts'
import { inertText, textBesideCalls } from './inert-text.ts'
import type { AssistantMessage } from './message.ts'

/**
 * Renders an assistant message: unchanged if it was written in the current protocol, or else
 * printed again with its calls.
 */
export function renderAssistant(message: AssistantMessage, rendering: ChatRendering): ChatMessage {
  const { content } = message
  const { protocol } = rendering
  const isInRequest = areToolsInRequest(rendering)
  if (!isInRequest && message.protocol === protocol!.id) return { role: 'assistant', content }
  const calls = message.calls ?? callsIn(message, rendering)
  const text = textWithoutCalls({ ...message, calls }, rendering)
  if (isInRequest) return { role: 'assistant', content: text, ...(calls.length > 0 && { calls }) }
  const parts = [
    inertUnlessText(text, rendering),
    calls.length > 0 ? printCalls(protocol!, calls) : '',
  ]
  return { role: 'assistant', content: parts.filter((part) => part !== '').join('\n') }
}

/**
 * Neutralizes text that would be read as a call, such as a malformed call that a client sent back
 * as text: a model that sees its own broken marks repeats them. Other text is unchanged.
 */
function inertUnlessText(text: string, { tools, protocol }: ChatRendering): string {
  if (text === '' || tools.length === 0) return text
  const options = { tools, protocols: protocol }
  // A quick check that is enough for most text, which contains no marks.
  if (neutralize(text, options) === text) return text
  const { segments } = parse(text, options)
  if (!segments.some(isCalling)) return text
  // Calls in the text are quotations, so they stay.
  const parts = segments.map(({ type, span }) => ({ type: type === 'call' ? 'text' : type, span }))
  return inertText(text, parts, options)
}

function isCalling(segment: Segment): boolean {
  if (segment.type === 'call') return !segment.call.otherProtocol
  return segment.type === 'malformed' || segment.type === 'result'
}

/** The calls in a message from another source, which does not list them. */
function callsIn(message: AssistantMessage, { tools, protocol }: ChatRendering): MessageCall[] {
  const written = message.protocol
  if (written === undefined) return []
  const known = knownProtocol(written, protocol)
  const { calls } = parse(message.content, { tools, protocols: known })
  return calls.filter(({ complete }) => complete).map(({ id, name, args }) => ({ id, name, args }))
}

/** The text of a message without its calls. */
function textWithoutCalls(message: AssistantMessage, rendering: ChatRendering): string {
  const { content, calls = [], protocol: written } = message
  const { tools, protocol } = rendering
  const isText =
    written === undefined
      ? !calls.some(({ name }) => content.includes(name))
      : written === protocol?.id && calls.length === 0
  if (content === '' || isText) return content
  const known = knownProtocol(written, protocol)
  const { segments } = parse(content, { tools, protocols: known })
  if (written === undefined) return withoutRepeated(content, segments, calls)
  const options = { tools, protocols: protocol }
  if (segments.some(({ type }) => type === 'malformed'))
    return inertText(content, segments, options)
  const text = textBesideCalls(content, segments)
  // The reply contains nothing but marks and reasoning: its text stays, but must not be parsed as a
  // call.
  return text === '' && calls.length === 0 ? neutralize(content, options) : text
}

function knownProtocol(
  id: string | undefined,
  current: Protocol | undefined,
): Protocol | undefined {
  if (id === current?.id) return current
  return id !== undefined && Object.hasOwn(protocols, id) ? protocols[id] : undefined
}

/**
 * Removes the calls that `calls` lists again from text, along with the marks around them if it
 * contains no other calls.
 */
function withoutRepeated(
  content: string,
  segments: readonly Segment[],
  calls: readonly MessageCall[],
): string {
  const left = calls.map(keyOf)
  const isRepeated = segments.map((segment) => {
    const at = segment.type === 'call' ? left.indexOf(keyOf(segment.call)) : -1
    if (at >= 0) left.splice(at, 1)
    return at >= 0
  })
  if (!isRepeated.includes(true)) return content
  const others = segments.filter((_, at) => !isRepeated[at])
  return others.some(({ type }) => type === 'call')
    ? others.map(({ span }) => content.slice(...span)).join('')
    : textBesideCalls(content, others)
}

/**
 * Equal for equal calls. Values are compared as text, because without the tool's schema a number
 * may have been read as text.
 */
function keyOf({ name, args }: Pick<MessageCall, 'name' | 'args'>): string {
  return JSON.stringify([name, args], (_, value: unknown) => {
    if (typeof value !== 'object' || value === null) return String(value)
    if (Array.isArray(value)) return value
    return Object.fromEntries(
      Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)),
    )
  })
}
