import type { Finish, Malformed, Segment, Span, ToolDefinition } from '@toolglot/core'
import { inertText, textBesideCalls } from '../../context/inert-text.ts'
import type { AssistantMessage } from '../../context/message.ts'
import type { MessageCall } from '../../model/chat-message.ts'
import type { Usage } from '../../model/usage.ts'
import type { RunCall } from '../event.ts'
import type { CallFormat } from './call-format.ts'
import type { RecordedPrompt } from './sent-prompt.ts'

/** A reply of a model, as recorded in the journal: plain data. */
export interface Turn {
  /** Exactly what the model wrote, including calls. */
  readonly content: string
  /** The parts of `content`, in order, followed by native calls. */
  readonly segments: readonly TurnSegment[]
  /** The prefilled beginning of the reply, before `content`. */
  readonly prefill?: string
  /** Reasoning that the model sent separately from the content. */
  readonly thoughts?: string
  /** The calls were made by native function calling. */
  readonly native?: true
  readonly finish: Finish
  readonly usage: Usage
  /** From the request to the first piece of the reply, in milliseconds. */
  readonly firstToken?: number
  /** How long the reply took, in milliseconds. */
  readonly duration?: number
  /** Problems on the way to this reply. */
  readonly warnings?: readonly { readonly code: string; readonly message: string }[]
  /** The number of tokens that the server counts for each estimated one, as known after this turn. */
  readonly tokenRatio?: number
}

/** A turn with its prompt. */
export interface PromptedTurn extends Turn {
  readonly prompt: RecordedPrompt
}

/** A part of a reply. */
export type TurnSegment =
  | Exclude<Segment, { type: 'call' }>
  | { readonly type: 'call'; readonly span: Span; readonly call: RunCall }

/** The calls in a turn, in order. */
export function callsOf({ segments }: Pick<Turn, 'segments'>): readonly RunCall[] {
  const calls: RunCall[] = []
  for (const segment of segments) if (segment.type === 'call') calls.push(segment.call)
  return calls
}

/** The malformed calls in a turn, in order. */
export function malformedOf({ segments }: Pick<Turn, 'segments'>): readonly Malformed[] {
  return segments.filter((segment) => segment.type === 'malformed')
}

/** The part of a reply that is shown to a person. */
export function visibleText({ content, segments }: Pick<Turn, 'content' | 'segments'>): string {
  return segments
    .map((segment) => (SHOWN.has(segment.type) ? content.slice(...segment.span) : ''))
    .join('')
}

const SHOWN: ReadonlySet<Segment['type']> = new Set(['text', 'malformed'])

/** The reasoning in a reply, and the reasoning that was sent separately. */
export function reasoningOf({ content, segments, thoughts = '' }: Turn): string {
  const inside = segments.flatMap(({ type, span }) =>
    type === 'reasoning' ? [content.slice(...span)] : [],
  )
  return [thoughts, ...inside].join('')
}

/** Whether a turn has neither text nor a call. */
export function isEmptyTurn(turn: Turn): boolean {
  return callsOf(turn).length + malformedOf(turn).length === 0 && visibleText(turn).trim() === ''
}

/** A call for the model: with the id that the model gave it, if there is one. */
export function messageCall({ id, modelId, name, args }: RunCall): MessageCall {
  return modelId === undefined ? { id, name, args } : { id: modelId, ownId: true, name, args }
}

/** The whole text of a reply, with its prefill. */
export function rawText({ prefill = '', content }: Pick<Turn, 'prefill' | 'content'>): string {
  return prefill + content
}

/**
 * Converts a turn to a message: exactly what the model wrote, unless it wrote a malformed call or the server parsed its
 * calls. Then it is the text besides the calls, which are printed again.
 */
export function assistantMessage(
  turn: Turn,
  { protocol }: CallFormat,
  tools: readonly ToolDefinition[],
): AssistantMessage {
  const calls = callsOf(turn)
  const parts = withPrefill(turn)
  const message = {
    role: 'assistant' as const,
    content: rawText(turn),
    ...(calls.length > 0 && { calls: calls.map(messageCall) }),
  }
  if (malformedOf(turn).length > 0)
    return { ...message, content: inertText(rawText(turn), parts, { tools, protocols: protocol }) }
  if (turn.native) return { ...message, content: textBesideCalls(rawText(turn), parts) }
  const written = protocol?.id ?? calls[0]?.protocol
  return written === undefined ? message : { ...message, protocol: written }
}

/** The parts of the whole text of a reply. */
function withPrefill({
  prefill = '',
  segments,
}: Turn): readonly Pick<TurnSegment, 'type' | 'span'>[] {
  if (prefill === '') return segments
  const { length } = prefill
  return [
    { type: 'text', span: [0, length] },
    ...segments.map(({ type, span: [from, to] }) => ({
      type,
      span: [from + length, to + length] as const,
    })),
  ]
}
