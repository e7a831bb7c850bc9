import type { LanguageModelV3FunctionTool, LanguageModelV3Message } from '@ai-sdk/provider'
import type { ChatMessage } from '../chat-message.ts'
import type { ModelRequest } from '../model.ts'

/** Messages as the AI SDK's language models take them. */
export function promptOf(messages: readonly ChatMessage[]): LanguageModelV3Message[] {
  const names = new Map(
    messages.flatMap((message) =>
      message.role === 'assistant'
        ? (message.calls ?? []).map(({ id, name }) => [id, name] as const)
        : [],
    ),
  )
  return messages.map((message): LanguageModelV3Message => {
    const { content } = message
    if (message.role === 'system') return { role: 'system', content }
    if (message.role === 'assistant') return assistant(message)
    if (message.role === 'tool') {
      const { call } = message
      // Without a call to belong to, it is only a text.
      if (call === undefined) return { role: 'user', content: [{ type: 'text', text: content }] }
      const output = { type: 'text', value: content } as const
      const toolName = names.get(call) ?? ''
      return {
        role: 'tool',
        content: [{ type: 'tool-result', toolCallId: call, toolName, output }],
      }
    }
    return { role: 'user', content: [{ type: 'text', text: content }] }
  })
}

function assistant({ content, calls = [] }: AssistantMessage): LanguageModelV3Message {
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
