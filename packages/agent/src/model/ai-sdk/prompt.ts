import type { LanguageModelV3FunctionTool, LanguageModelV3Message } from '@ai-sdk/provider'
import { PrefixCache } from '../prefix-cache.ts'
import type { ChatMessage } from '../chat-message.ts'
import { textOf } from '../content.ts'
import type { ModelRequest } from '../model.ts'

const prompts = new PrefixCache<ChatMessage, LanguageModelV3Message[]>()

/** Converts messages to the AI SDK's prompt format. */
export function promptOf(messages: readonly ChatMessage[]): LanguageModelV3Message[] {
  const { length, value: prompt } = prompts.take(messages) ?? { length: 0, value: [] }
  for (let at = length; at < messages.length; at++)
    prompt.push(promptMessage(messages[at]!, messages, at))
  prompts.store(messages, prompt)
  return prompt.slice()
}

function promptMessage(
  message: ChatMessage,
  messages: readonly ChatMessage[],
  at: number,
): LanguageModelV3Message {
  const content = textOf(message.content)
  if (message.role === 'system') return { role: 'system', content }
  if (message.role === 'assistant') return assistantMessage(message)
  const call = message.role === 'tool' ? message.call : undefined
  // A result that belongs to no call is sent as plain text.
  if (call === undefined) return { role: 'user', content: [{ type: 'text', text: content }] }
  const output = { type: 'text', value: content } as const
  const toolName = toolNameOf(call, messages, at)
  return { role: 'tool', content: [{ type: 'tool-result', toolCallId: call, toolName, output }] }
}

/** The tool name of the earlier call with this id. */
function toolNameOf(id: string, messages: readonly ChatMessage[], before: number): string {
  for (let at = before - 1; at >= 0; at--) {
    const message = messages[at]!
    const calls = message.role === 'assistant' ? message.calls : undefined
    const found = calls?.find((call) => call.id === id)
    if (found) return found.name
  }
  return ''
}

function assistantMessage({ content, calls = [] }: AssistantMessage): LanguageModelV3Message {
  return {
    role: 'assistant',
    content: [
      ...(content === '' && calls.length > 0 ? [] : [{ type: 'text' as const, text: content }]),
      ...calls.map(({ id, name, args }) => ({
        type: 'tool-call' as const,
        toolCallId: id,
        toolName: name,
        input: args,
      })),
    ],
  }
}

type AssistantMessage = Extract<ChatMessage, { role: 'assistant' }>

/** Converts a request's tools to the AI SDK's function tools. */
export function toolsOf({ tools = [] }: ModelRequest): LanguageModelV3FunctionTool[] {
  return tools.map(({ name, description, parameters }) => ({
    type: 'function',
    name,
    ...(description !== undefined && { description }),
    // Both are JSON Schema.
    inputSchema: (parameters ?? {
      type: 'object',
      properties: {},
    }) as LanguageModelV3FunctionTool['inputSchema'],
  }))
}
