import type { ChatMessage } from '../../model/chat-message.ts'
import { hideKeys } from '../../result/redact.ts'
import { type Turn, callsOf, reasoningOf, visibleText } from '../turn/recorded-turn.ts'

/** A part of a message, as the conventions describe it. */
type Part =
  | { readonly type: 'text' | 'reasoning'; readonly content: string }
  | { readonly type: 'uri'; readonly modality: 'image' }
  | {
      readonly type: 'tool_call'
      readonly id: string
      readonly name: string
      readonly arguments: unknown
    }
  | {
      readonly type: 'tool_call_response'
      readonly id: string | undefined
      readonly result: string
    }

/** What a model was sent, as JSON. Images are left out, and what looks like a secret is hidden. */
export function inputMessages(messages: readonly ChatMessage[]): string {
  return printed(messages.map((message) => ({ role: message.role, parts: partsOf(message) })))
}

/** What a model replied, as JSON. */
export function outputMessages(turn: Turn, finish: string): string {
  const reasoning = reasoningOf(turn)
  const text = visibleText(turn)
  const parts: Part[] = [
    ...(reasoning === '' ? [] : [{ type: 'reasoning' as const, content: reasoning }]),
    ...(text === '' ? [] : [{ type: 'text' as const, content: text }]),
    ...callsOf(turn).map(({ id, name, args }) => callPart(id, name, args)),
  ]
  return printed([{ role: 'assistant', parts, finish_reason: finish }])
}

/** Any value as JSON, with what looks like a secret hidden. */
export function printed(value: unknown): string {
  return hideKeys(JSON.stringify(value) ?? '')
}

function partsOf(message: ChatMessage): Part[] {
  if (message.role === 'tool')
    return [{ type: 'tool_call_response', id: message.call, result: message.content }]
  const { content } = message
  const texts: Part[] =
    typeof content === 'string'
      ? [{ type: 'text', content }]
      : content.map((part) =>
          part.type === 'text'
            ? { type: 'text', content: part.text }
            : { type: 'uri', modality: 'image' },
        )
  if (message.role !== 'assistant') return texts
  const calls = (message.calls ?? []).map(({ id, name, args }) => callPart(id, name, args))
  return [...texts, ...calls]
}

function callPart(id: string, name: string, args: unknown): Part {
  return { type: 'tool_call', id, name, arguments: args }
}
