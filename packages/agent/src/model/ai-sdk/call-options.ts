import type {
  LanguageModelV3CallOptions,
  LanguageModelV3FilePart,
  LanguageModelV3FunctionTool,
  LanguageModelV3Message,
  LanguageModelV3TextPart,
} from '@ai-sdk/provider'
import { asObject } from '../as-object.ts'
import type { ModelRequest, ResponseFormat, ToolChoice } from '../model.ts'
import { PrefixCache } from '../prefix-cache.ts'
import {
  type ChatMessage,
  type Content,
  type ContentPart,
  textOf,
  readImageData,
} from '../chat-message.ts'

/** Converts a request to the AI SDK's call options, without the signal. */
export function callOptions(request: ModelRequest): LanguageModelV3CallOptions {
  const { toolChoice, prefill, responseFormat, stop = [], maxTokens, temperature } = request
  const { topP, seed, body } = request
  const tools = toolsOf(request)
  const prompt = promptOf(request.messages)
  if (prefill) prompt.push({ role: 'assistant', content: [{ type: 'text', text: prefill }] })
  return {
    prompt,
    ...(tools.length > 0 && { tools, toolChoice: toolChoice && choiceOf(toolChoice) }),
    responseFormat: responseFormat && formatOf(responseFormat),
    ...(stop.length > 0 && { stopSequences: [...stop] }),
    maxOutputTokens: maxTokens,
    temperature,
    topP,
    seed,
    providerOptions: body && providerOptions(body),
  }
}

function choiceOf(choice: ToolChoice): NonNullable<LanguageModelV3CallOptions['toolChoice']> {
  return typeof choice === 'string' ? { type: choice } : { type: 'tool', toolName: choice.name }
}

function formatOf(
  format: ResponseFormat,
): NonNullable<LanguageModelV3CallOptions['responseFormat']> {
  // Both types describe JSON Schema.
  return format as NonNullable<LanguageModelV3CallOptions['responseFormat']>
}

/**
 * The AI SDK has no additional body fields. It has options by provider: `{ openai: {
 * reasoningEffort: 'low' } }`.
 */
function providerOptions(
  body: NonNullable<ModelRequest['body']>,
): NonNullable<LanguageModelV3CallOptions['providerOptions']> {
  for (const [name, options] of Object.entries(body)) {
    if (asObject(options)) continue
    throw new TypeError(
      `in the AI SDK, \`body\` contains options by provider, such as { openai: { … } }: put the field '${name}' below its provider`,
    )
  }
  return body as NonNullable<LanguageModelV3CallOptions['providerOptions']>
}

const prompts = new PrefixCache<ChatMessage, LanguageModelV3Message[]>()

/** Converts messages to the AI SDK's prompt format. */
function promptOf(messages: readonly ChatMessage[]): LanguageModelV3Message[] {
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
  if (message.role === 'system') return { role: 'system', content: message.content }
  if (message.role === 'assistant') return assistantMessage(message)
  const call = message.role === 'tool' ? message.call : undefined
  // A result without a matching call is sent as plain text.
  if (call === undefined) return { role: 'user', content: partsOf(message.content) }
  const output = { type: 'text', value: textOf(message.content) } as const
  const toolName = toolNameOf(call, messages, at)
  return { role: 'tool', content: [{ type: 'tool-result', toolCallId: call, toolName, output }] }
}

function partsOf(content: Content): (LanguageModelV3TextPart | LanguageModelV3FilePart)[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content.map(promptPart)
}

function promptPart(part: ContentPart): LanguageModelV3TextPart | LanguageModelV3FilePart {
  if (part.type === 'text') return { type: 'text', text: part.text }
  const image = readImageData(part.url)
  return image
    ? { type: 'file', ...image }
    : { type: 'file', data: new URL(part.url), mediaType: 'image/*' }
}

/** The tool name of the preceding call with this id. */
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
function toolsOf({ tools = [] }: ModelRequest): LanguageModelV3FunctionTool[] {
  return tools.map(({ name, description, parameters }) => ({
    type: 'function',
    name,
    description,
    // Both types describe JSON Schema.
    inputSchema: (parameters ?? {
      type: 'object',
      properties: {},
    }) as LanguageModelV3FunctionTool['inputSchema'],
  }))
}
