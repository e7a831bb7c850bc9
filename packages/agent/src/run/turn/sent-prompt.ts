import type { ToolDefinition } from '@toolglot/core'
import type { JournalRecord } from '../../journal/journal.ts'
import { parseKey } from '../../journal/keys.ts'
import type { ChatMessage } from '../../model/chat-message.ts'
import { malformedOf, type PromptedTurn, rawText, type Turn } from './recorded-turn.ts'

/** The prompt of a turn, as it was sent. */
export interface SentPrompt {
  readonly messages: readonly ChatMessage[]
  /** The tools, for native function calling. */
  readonly tools: readonly ToolDefinition[]
  /** It was sent by another process, maybe to another model. */
  readonly isRestored?: true
  /** The reply, if it is part of the conversation. */
  readonly reply?: Turn
}

/**
 * Why a prompt does not begin with the prompt and the reply of the turn before, so that a local model has to read more than the
 * new messages: the history was shortened, the tools or their description changed, a malformed call was made inert, or the
 * reply is printed again, because it was in another protocol or the server had parsed its calls.
 */
export type PromptChange = 'compacted' | 'tools' | 'malformed' | 'reprinted'

/** A prompt as it is recorded: how it differs from that of the turn before. */
export interface RecordedPrompt {
  /** How many of its messages are those that the prompt of the turn before starts with. */
  readonly shared: number
  /** The messages after them. */
  readonly messages: readonly ChatMessage[]
  /** Missing if the tools are the same as in the turn before. */
  readonly tools?: readonly ToolDefinition[]
  /** Why it does not begin with the prompt and the reply of the turn before. */
  readonly changed?: PromptChange
}

/** The prompt before the first turn. */
export const noPrompt: SentPrompt = { messages: [], tools: [] }

/** Describes a prompt by its difference from the one before. */
export function recordPrompt(prompt: SentPrompt, before: SentPrompt): RecordedPrompt {
  const { messages, tools } = prompt
  let shared = 0
  for (; shared < messages.length; shared++) {
    const one = messages[shared]!
    const other = before.messages[shared]
    // Most are the same objects, and there may be thousands.
    if (one !== other && !isSame(one, other)) break
  }
  return {
    shared,
    messages: messages.slice(shared),
    ...(!isSameList(tools, before.tools) && { tools }),
  }
}

/**
 * Why a prompt does not begin with the one before and the reply to it; undefined if it does. `shared` is how many messages
 * the two begin with.
 */
export function promptChange(
  { reply, messages: earlier }: SentPrompt,
  { messages }: SentPrompt,
  { shared, isCompacted }: { readonly shared: number; readonly isCompacted: boolean },
): PromptChange | undefined {
  if (!reply) return undefined
  const said = messages[earlier.length]
  const isKept = said?.role === 'assistant' && said.content === rawText(reply)
  if (shared >= earlier.length && isKept) return undefined
  if (isCompacted) return 'compacted'
  // The tools are described at the beginning.
  if (shared === 0) return 'tools'
  return malformedOf(reply).length > 0 ? 'malformed' : 'reprinted'
}

/** Restores a prompt from its record and the prompt before. */
export function restorePrompt(recorded: RecordedPrompt, before: SentPrompt): SentPrompt {
  const { shared, messages, tools = before.tools } = recorded
  return { messages: [...before.messages.slice(0, shared), ...messages], tools }
}

function isSame(one: ChatMessage, other: ChatMessage | undefined): boolean {
  if (one.role !== other?.role) return false
  if (typeof one.content === 'string' && one.content !== other.content) return false
  return JSON.stringify(one) === JSON.stringify(other)
}

function isSameList(one: readonly ToolDefinition[], other: readonly ToolDefinition[]): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other)
}

/** A turn of a run, with everything that was sent and received. */
export interface RecordedTurn extends Turn {
  /** The key of its record: `turn/N`, or `final/N` for a last turn without tools. */
  readonly key: string
  /** The prompt, as it was sent. */
  readonly prompt: SentPrompt
  /** When it was recorded, in milliseconds since 1970. */
  readonly time: number
}

/** The turns of a run with the whole prompt of each, in order. */
export function* recordedTurns(records: Iterable<JournalRecord>): Generator<RecordedTurn> {
  let before = noPrompt
  for (const { key, kind, value, time } of records) {
    const step = kind === 'value' ? parseKey(key) : undefined
    if (step?.type !== 'turn') continue
    const { prompt: recorded, ...turn } = value as PromptedTurn
    const prompt = restorePrompt(recorded, before)
    yield { ...turn, key, time, prompt }
    if (!step.final) before = prompt
  }
}
