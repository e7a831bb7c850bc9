import type { Call, Finish, Malformed, Segment } from '@toolglot/core'
import type { AssistantMessage } from '../../context/message.ts'
import type { Usage } from '../../model/usage.ts'

/** What a model replied, as it is recorded: plain data. */
export interface Turn {
  /** To the letter, calls in it and all. */
  readonly content: string
  /** What was read in `content`, in order; and calls that were made by function calling. */
  readonly segments: readonly Segment[]
  /** Thoughts that came beside the content. */
  readonly thoughts?: string
  /** Calls were made by function calling of the model's own. */
  readonly native?: true
  readonly finish: Finish
  readonly usage: Usage
}

export function callsOf({ segments }: Turn): readonly Call[] {
  return segments.flatMap((segment) => (segment.type === 'call' ? [segment.call] : []))
}

export function malformedOf({ segments }: Turn): readonly Malformed[] {
  return segments.filter((segment) => segment.type === 'malformed')
}

/** What a person should see. */
export function visibleText({ content, segments }: Turn): string {
  return segments
    .map((segment) => (SHOWN.has(segment.type) ? content.slice(...segment.span) : ''))
    .join('')
}

const SHOWN: ReadonlySet<Segment['type']> = new Set(['text', 'malformed'])

/** There is neither text nor a call in it. */
export function isEmptyTurn(turn: Turn): boolean {
  return callsOf(turn).length + malformedOf(turn).length === 0 && visibleText(turn).trim() === ''
}

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
