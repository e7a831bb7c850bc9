import { type ChatMessage, type Content, textOf } from '../chat-message.ts'
import type { ModelRequest, ResponseFormat, ToolChoice } from '../model.ts'

/** The fields that this server has rejected before. */
export interface Quirks {
  noStreamOptions?: true
  /** OpenAI's newer models use this name instead of `max_tokens`. */
  maxCompletionTokens?: true
}

/** The dialect of a server's additional request fields. */
export type Extensions = 'llama.cpp' | 'vllm'

/** The body of a chat completions request. */
export function requestBody(
  request: ModelRequest,
  options: {
    readonly model: string
    readonly quirks: Quirks
    readonly more: object
    readonly extensions: Extensions
  },
): string {
  const { model, quirks, more, extensions } = options
  const { messages, tools = [], toolChoice, prefill, grammar, responseFormat, body = {} } = request
  const { stop = [], maxTokens, temperature, topP, seed } = request
  const limit = quirks.maxCompletionTokens ? 'max_completion_tokens' : 'max_tokens'
  const sent = messages.map(openAiMessage)
  if (prefill) sent.push({ role: 'assistant', content: prefill })
  checkBody(body)
  return JSON.stringify({
    ...more,
    ...body,
    model,
    messages: sent,
    stream: true,
    ...(!quirks.noStreamOptions && { stream_options: { include_usage: true } }),
    ...(tools.length > 0 && {
      tools: tools.map((tool) => ({
        type: 'function',
        function: {
          name: tool.name,
          description: tool.description,
          parameters: tool.parameters ?? { type: 'object', properties: {} },
        },
      })),
      ...(toolChoice && { tool_choice: openAiToolChoice(toolChoice) }),
    }),
    ...(responseFormat && { response_format: openAiResponseFormat(responseFormat) }),
    ...(stop.length > 0 && { stop }),
    ...(maxTokens !== undefined && { [limit]: maxTokens }),
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { top_p: topP }),
    ...(seed !== undefined && { seed }),
    // llama.cpp, Ollama and LM Studio continue a final assistant message without further fields.
    ...(prefill &&
      extensions === 'vllm' && { add_generation_prompt: false, continue_final_message: true }),
    ...(grammar &&
      (extensions === 'vllm'
        ? { structured_outputs: { grammar: grammar.text } }
        : { grammar: grammar.text })),
  })
}

/** Throws if additional fields would replace fields set by the connection itself. */
export function checkBody(body: object): void {
  const own = ['model', 'messages', 'stream', 'tools'].find((name) => Object.hasOwn(body, name))
  if (own !== undefined) {
    throw new TypeError(
      `\`body\` must not contain '${own}', which the request itself sets: leave it out`,
    )
  }
}

/**
 * The quirks to apply after a server rejected a request with this message, or undefined if it
 * reveals none.
 */
export function quirksAfter(message: string, before: Quirks): Quirks | undefined {
  if (!before.noStreamOptions && /stream_options|include_usage/i.test(message))
    return { ...before, noStreamOptions: true }
  if (!before.maxCompletionTokens && /max_completion_tokens/.test(message))
    return { ...before, maxCompletionTokens: true }
  return undefined
}

function openAiMessage(message: ChatMessage): object {
  const { role, content } = message
  if (role === 'user') return { role, content: openAiContent(content) }
  if (role === 'tool') {
    return { role, content, tool_call_id: message.call }
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

/** Sends plain text if there are no images, because not every server accepts parts. */
function openAiContent(content: Content): string | object[] {
  if (typeof content === 'string' || content.every(({ type }) => type === 'text')) {
    return textOf(content)
  }
  return content.map((part) =>
    part.type === 'text' ? part : { type: 'image_url', image_url: { url: part.url } },
  )
}

function openAiToolChoice(choice: ToolChoice): string | object {
  return typeof choice === 'string' ? choice : { type: 'function', function: { name: choice.name } }
}

function openAiResponseFormat(format: ResponseFormat): object {
  if (format.type === 'text') return { type: 'text' }
  const { schema, name = 'reply' } = format
  return schema ? { type: 'json_schema', json_schema: { name, schema } } : { type: 'json_object' }
}
