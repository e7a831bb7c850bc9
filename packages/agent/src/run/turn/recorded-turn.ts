import type { Finish, Malformed, Segment, Span, ToolDefinition } from '@toolglot/core'
import { inertText, textBesideCalls } from '../../context/inert-text.ts'
import type { AssistantMessage } from '../../context/message.ts'
import type { MessageCall } from '../../model/chat-message.ts'
import type { Usage } from '../../model/usage.ts'
import type { RunCall } from '../event.ts'
import type { CallFormat } from './call-format.ts'
import type { RecordedPrompt } from './sent-prompt.ts'

/** A reply from a model, as recorded in the journal. Plain data. */
export interface Turn {
  /** The model's exact text, including calls. */
  readonly content: string
  /** The segments of `content` in order, followed by native calls. */
  readonly segments: readonly TurnSegment[]
  /** The beginning of the reply that was prefilled. Not included in `content`. */
  readonly prefill?: string
  /** Reasoning that the model sent separately from the content. */
  readonly thoughts?: string
  /** The calls were made through native function calling. */
  readonly native?: true
  readonly finish: Finish
  readonly usage: Usage
  /** The time from the request to the first chunk of the reply, in milliseconds. */
  readonly firstToken?: number
  /** The duration of the reply, in milliseconds. */
  readonly duration?: number
  /** Problems that occurred before or during this reply. */
  readonly warnings?: readonly { readonly code: string; readonly message: string }[]
  /** The ratio of the server's token counts to the estimates, as learned up to this turn. */
  readonly tokenRatio?: number
}

/** A turn and its prompt. */
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

/** The part of a reply to show to people. */
export function visibleText({ content, segments }: Pick<Turn, 'content' | 'segments'>): string {
  return segments
    .map((segment) => (SHOWN.has(segment.type) ? content.slice(...segment.span) : ''))
    .join('')
}

const SHOWN: ReadonlySet<Segment['type']> = new Set(['text', 'malformed'])

/** The reasoning in a reply, including reasoning that was sent separately. */
export function reasoningOf({ content, segments, thoughts = '' }: Turn): string {
  const inside = segments.flatMap(({ type, span }) =>
    type === 'reasoning' ? [content.slice(...span)] : [],
  )
  return [thoughts, ...inside].join('')
}

/** True if a turn has neither text nor calls. */
export function isEmptyTurn(turn: Turn): boolean {
  return callsOf(turn).length + malformedOf(turn).length === 0 && visibleText(turn).trim() === ''
}

/** The call for the model, with the id that the model chose, if any. */
export function messageCall({ id, modelId, name, args }: RunCall): MessageCall {
  return modelId === undefined ? { id, name, args } : { id: modelId, ownId: true, name, args }
}

/** The whole text of a reply, including its prefill. */
export function rawText({ prefill = '', content }: Pick<Turn, 'prefill' | 'content'>): string {
  return prefill + content
}

/**
 * Converts a turn to a message: the model's exact text, unless it contains a malformed call or the
 * server parsed the calls. In those cases, the message consists of the text without calls, and the
 * calls are printed separately.
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

/** The segments of the whole text of a reply, including its prefill. */
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
