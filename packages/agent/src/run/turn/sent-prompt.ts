import type { ToolDefinition } from '@toolglot/core'
import type { JournalRecord } from '../../journal/journal.ts'
import { parseKey } from '../../journal/keys.ts'
import type { ChatMessage } from '../../model/chat-message.ts'
import { malformedOf, type PromptedTurn, rawText, type Turn } from './recorded-turn.ts'

/** The prompt of a turn in the form in which it was sent. */
export interface SentPrompt {
  readonly messages: readonly ChatMessage[]
  /** The tools, for native function calling. */
  readonly tools: readonly ToolDefinition[]
  /** True if another process sent the prompt, possibly to another model. */
  readonly isRestored?: true
  /** The reply, if it became part of the conversation. */
  readonly reply?: Turn
}

/**
 * The reason why a prompt does not start with the previous prompt and reply, so that a local model
 * has to read more than the new messages: the history was shortened, the tools or their description
 * changed, a malformed call was made inert, or the reply was printed again because it was in
 * another protocol or the server had parsed its calls.
 */
export type PromptChange = 'compacted' | 'tools' | 'malformed' | 'reprinted'

/** The recorded form of a prompt: its difference from the previous prompt. */
export interface RecordedPrompt {
  /** The number of messages in common with the start of the previous prompt. */
  readonly shared: number
  /** The remaining messages. */
  readonly messages: readonly ChatMessage[]
  /** Missing if the tools are the same as for the previous turn. */
  readonly tools?: readonly ToolDefinition[]
  /** The reason why the prompt does not start with the previous prompt and reply. */
  readonly changed?: PromptChange
}

/** The prompt before the first turn. */
export const noPrompt: SentPrompt = { messages: [], tools: [] }

/** Records a prompt as the difference from the previous one. */
export function recordPrompt(prompt: SentPrompt, before: SentPrompt): RecordedPrompt {
  const { messages, tools } = prompt
  let shared = 0
  for (; shared < messages.length; shared++) {
    const one = messages[shared]!
    const other = before.messages[shared]
    // Compare by identity first: most are the same objects, and there may be thousands.
    if (one !== other && !isSame(one, other)) break
  }
  return {
    shared,
    messages: messages.slice(shared),
    ...(!isSameList(tools, before.tools) && { tools }),
  }
}

/**
 * The reason why a prompt does not start with the previous prompt and reply, or undefined if it
 * does. `shared` is the number of messages in common at the start.
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
  // The first message contains the description of the tools.
  if (shared === 0) return 'tools'
  return malformedOf(reply).length > 0 ? 'malformed' : 'reprinted'
}

/** Restores a prompt from its record and the previous prompt. */
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

/** A turn of a run, with all data that was sent and received. */
export interface RecordedTurn extends Turn {
  /** The key of its record: `turn/N`, or `final/N` for a last turn without tools. */
  readonly key: string
  /** The prompt in the form in which it was sent. */
  readonly prompt: SentPrompt
  /** The time at which it was recorded, in milliseconds since 1970. */
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
