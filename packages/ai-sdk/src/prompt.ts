import type { LanguageModelV3FilePart, LanguageModelV3Message } from '@ai-sdk/provider'
import type { ChatMessage } from '@toolglot/agent'

/** Converts messages to the AI SDK's prompt, with the files in their places. */
export function promptOf(
  messages: readonly ChatMessage[],
  files: ReadonlyMap<string, LanguageModelV3FilePart>,
): LanguageModelV3Message[] {
  /** The tools of the calls so far, by the ids of the calls. */
  const names = new Map<string, string>()
  return messages.map((message): LanguageModelV3Message => {
    if (message.role === 'system') return { role: 'system', content: message.content }
    if (message.role === 'assistant') {
      const { content, calls = [] } = message
      for (const { id, name } of calls) names.set(id, name)
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
    if (message.role === 'tool' && message.call !== undefined) {
      const { call, content: value } = message
      const output = { type: 'text' as const, value }
      const toolName = names.get(call) ?? ''
      return {
        role: 'tool',
        content: [{ type: 'tool-result', toolCallId: call, toolName, output }],
      }
    }
    const { content } = message
    if (typeof content === 'string')
      return { role: 'user', content: [{ type: 'text', text: content }] }
    return {
      role: 'user',
      content: content.map((part) => (part.type === 'text' ? part : files.get(part.url)!)),
    }
  })
}
