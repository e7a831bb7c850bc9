import type { ToolDefinition } from '@toolglot/core'
import type { ChatMessage } from '../../model/chat-message.ts'

/** What a model was sent. */
export interface SentPrompt {
  readonly messages: readonly ChatMessage[]
  /** The tools, for native function calling. */
  readonly tools: readonly ToolDefinition[]
}

/** A prompt as it is recorded: how it differs from that of the turn before. */
export interface RecordedPrompt {
  /** How many of its messages are those that the prompt of the turn before starts with. */
  readonly shared: number
  /** The messages after them. */
  readonly messages: readonly ChatMessage[]
  /** Missing if the tools are the same as in the turn before. */
  readonly tools?: readonly ToolDefinition[]
}

/** The prompt before the first turn. */
export const noPrompt: SentPrompt = { messages: [], tools: [] }

/** Describes a prompt by its difference from the one before. */
export function recordPrompt(prompt: SentPrompt, before: SentPrompt): RecordedPrompt {
  const { messages, tools } = prompt
  let shared = 0
  while (shared < messages.length && isSame(messages[shared]!, before.messages[shared])) shared++
  return {
    shared,
    messages: messages.slice(shared),
    ...(!isSameList(tools, before.tools) && { tools }),
  }
}

/** Restores a prompt from its record and the prompt before. */
export function restorePrompt(recorded: RecordedPrompt, before: SentPrompt): SentPrompt {
  const { shared, messages, tools = before.tools } = recorded
  return { messages: [...before.messages.slice(0, shared), ...messages], tools }
}

function isSame(one: ChatMessage, other: ChatMessage | undefined): boolean {
  if (one === other) return true
  if (one.role !== other?.role || one.content !== other.content) return false
  return JSON.stringify(one) === JSON.stringify(other)
}

function isSameList(one: readonly ToolDefinition[], other: readonly ToolDefinition[]): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other)
}
