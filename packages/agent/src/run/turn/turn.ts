import type { Call, Finish, Malformed, Segment } from '@toolglot/core'
import type { AssistantMessage } from '../../context/message.ts'
import type { Usage } from '../../model/usage.ts'

/** What a model replied, as recorded in the journal: plain data. */
export interface Turn {
  /** Exactly what the model wrote, including calls. */
  readonly content: string
  /** What was parsed from `content`, in order, followed by native calls. */
  readonly segments: readonly Segment[]
  /** Reasoning that the model sent separately from the content. */
  readonly thoughts?: string
  /** The calls were made by native function calling. */
  readonly native?: true
  readonly finish: Finish
  readonly usage: Usage
}

/** The calls in a turn, in order. */
export function callsOf({ segments }: Turn): readonly Call[] {
  return segments.flatMap((segment) => (segment.type === 'call' ? [segment.call] : []))
}

/** The malformed calls in a turn, in order. */
export function malformedOf({ segments }: Turn): readonly Malformed[] {
  return segments.filter((segment) => segment.type === 'malformed')
}

/** The part of a reply that is shown to a person. */
export function visibleText({ content, segments }: Turn): string {
  return segments
    .map((segment) => (SHOWN.has(segment.type) ? content.slice(...segment.span) : ''))
    .join('')
}

const SHOWN: ReadonlySet<Segment['type']> = new Set(['text', 'malformed'])

/** Whether a turn has neither text nor a call. */
export function isEmptyTurn(turn: Turn): boolean {
  return callsOf(turn).length + malformedOf(turn).length === 0 && visibleText(turn).trim() === ''
}

/** Converts a turn to a message. `protocol` is undefined for native function calling. */
export function assistantMessage(turn: Turn, protocol: string | undefined): AssistantMessage {
  const calls = callsOf(turn).map(({ id, name, args }) => ({ id, name, args }))
  return {
    role: 'assistant',
    content: turn.content,
    ...(calls.length > 0 && { calls }),
    ...(protocol !== undefined && { protocol }),
    ...(turn.native && { native: true }),
  }
}
