import type { LanguageModelV3FilePart, LanguageModelV3Message } from '@ai-sdk/provider'
import type { ChatMessage } from '@toolglot/agent'
import type { BesidePart } from './history.ts'

/** What is put back into rendered messages. */
export interface OtherParts {
  /** The files, by the URLs that stand for them. */
  readonly files: ReadonlyMap<string, LanguageModelV3FilePart>
  /** What each assistant message has besides text and calls. */
  readonly besides: readonly (readonly BesidePart[])[]
}

/** Converts messages to the AI SDK's prompt. In an assistant message, reasoning comes before the text, and files after it. */
export function promptOf(
  messages: readonly ChatMessage[],
  { files, besides }: OtherParts,
): LanguageModelV3Message[] {
  let replies = 0
  /** The tools of the calls so far, by the ids of the calls. */
  const names = new Map<string, string>()
  return messages.map((message): LanguageModelV3Message => {
    if (message.role === 'system') return { role: 'system', content: message.content }
    if (message.role === 'assistant') {
      const { content, calls = [] } = message
      const others = besides[replies++] ?? []
      for (const { id, name } of calls) names.set(id, name)
      return {
        role: 'assistant',
        content: [
          ...others.filter(({ type }) => type === 'reasoning'),
          ...(content === '' && calls.length + others.length > 0
            ? []
            : [{ type: 'text' as const, text: content }]),
          ...others.filter(({ type }) => type === 'file'),
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
