import type { LanguageModelV3FunctionTool, LanguageModelV3Message } from '@ai-sdk/provider'
import { Growing } from '../../context/growing.ts'
import type { ChatMessage } from '../chat-message.ts'
import type { ModelRequest } from '../model.ts'

const prompts = new Growing<ChatMessage, LanguageModelV3Message[]>()

/** Messages as the AI SDK's language models take them. */
export function promptOf(messages: readonly ChatMessage[]): LanguageModelV3Message[] {
  const { count, made } = prompts.take(messages) ?? { count: 0, made: [] }
  for (let at = count; at < messages.length; at++) made.push(drawn(messages[at]!, messages, at))
  prompts.keep(messages, made)
  return made.slice()
}

function drawn(
  message: ChatMessage,
  messages: readonly ChatMessage[],
  at: number,
): LanguageModelV3Message {
  const { content } = message
  if (message.role === 'system') return { role: 'system', content }
  if (message.role === 'assistant') return assistant(message)
  const call = message.role === 'tool' ? message.call : undefined
  // Without a call to belong to, it is only a text.
  if (call === undefined) return { role: 'user', content: [{ type: 'text', text: content }] }
  const output = { type: 'text', value: content } as const
  const toolName = nameOf(call, messages, at)
  return { role: 'tool', content: [{ type: 'tool-result', toolCallId: call, toolName, output }] }
}

/** The name of a call that was made before. */
function nameOf(id: string, messages: readonly ChatMessage[], before: number): string {
  for (let at = before - 1; at >= 0; at--) {
    const message = messages[at]!
    const calls = message.role === 'assistant' ? message.calls : undefined
    const made = calls?.find((call) => call.id === id)
    if (made) return made.name
  }
  return ''
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
