import type { ChatMessage } from '../chat-message.ts'
import type { ModelRequest } from '../model.ts'

/** What this server rejected before. */
export interface Quirks {
  noStreamOptions?: true
  /** OpenAI's newer models use this name instead of `max_tokens`. */
  maxCompletionTokens?: true
}

/** The body of a chat completions request. */
export function requestBody(
  request: ModelRequest,
  { model, quirks, more }: { model: string; quirks: Quirks; more: object },
): string {
  const { messages, tools = [], stop = [], maxTokens, temperature } = request
  const limit = quirks.maxCompletionTokens ? 'max_completion_tokens' : 'max_tokens'
  return JSON.stringify({
    ...more,
    model,
    messages: messages.map(openAiMessage),
    stream: true,
    ...(!quirks.noStreamOptions && { stream_options: { include_usage: true } }),
    ...(tools.length > 0 && {
      tools: tools.map((tool) => ({
        type: 'function',
        function: {
          name: tool.name,
          ...(tool.description !== undefined && { description: tool.description }),
          parameters: tool.parameters ?? { type: 'object', properties: {} },
        },
      })),
    }),
    ...(stop.length > 0 && { stop }),
    ...(maxTokens !== undefined && { [limit]: maxTokens }),
    ...(temperature !== undefined && { temperature }),
  })
}

/** The quirks to use after a server rejected a request with this message; undefined if it reveals none. */
export function quirksAfter(message: string, before: Quirks): Quirks | undefined {
  if (!before.noStreamOptions && /stream_options|include_usage/i.test(message))
    return { ...before, noStreamOptions: true }
  if (!before.maxCompletionTokens && /max_completion_tokens/.test(message))
    return { ...before, maxCompletionTokens: true }
  return undefined
}

function openAiMessage(message: ChatMessage): object {
  const { role, content } = message
  if (role === 'tool') {
    return { role, content, ...(message.call !== undefined && { tool_call_id: message.call }) }
  }
  if (role !== 'assistant' || !message.calls?.length) return { role, content }
  return {
    role,
    content: content === '' ? null : content,
    tool_calls: message.calls.map(({ id, name, args }) => ({
      id,
      type: 'function',
      function: { name, arguments: JSON.stringify(args) },
    })),
  }
}
