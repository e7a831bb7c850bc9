import { asObject } from '../as-object.ts'
import { type ChatMessage, textOf, readImageData } from '../chat-message.ts'
import type { ModelRequest } from '../model.ts'
import { ModelError } from '../model-error.ts'
import { checkBody } from '../open-ai/request-body.ts'

/** The settings of a request, besides the conversation. */
export interface OllamaSettings {
  readonly model: string
  /** The size of the context in tokens, or undefined for Ollama's own choice. */
  readonly numCtx: number | undefined
  /** The maximum number of tokens of a reply if the request sets no limit. */
  readonly room: number | undefined
  /** Whether the model thinks, or how much. */
  readonly think: boolean | 'low' | 'medium' | 'high' | undefined
  readonly keepAlive: string | undefined
  /** Additional fields. */
  readonly more: Readonly<Record<string, unknown>>
}

/** The body of a request to `/api/chat`. */
export function chatBody(
  request: ModelRequest,
  { model, numCtx, room, think, keepAlive, more }: OllamaSettings,
): object {
  const { messages, tools = [], toolChoice, prefill, responseFormat, body = {} } = request
  const { stop = [], maxTokens, temperature, topP, seed } = request
  checkBody(body)
  const given = { ...more, ...body }
  const limit = maxTokens === undefined ? room : Math.min(maxTokens, room ?? maxTokens)
  const names = calledNames(messages)
  const sent = messages.map((message) => ollamaMessage(message, names))
  if (prefill) sent.push({ role: 'assistant', content: prefill })
  // Ollama cannot be made to call a tool, or not to: a request without tools forbids calls.
  const areTools = tools.length > 0 && toolChoice !== 'none'
  return {
    ...withoutOptions(given),
    model,
    messages: sent,
    stream: true,
    // Without these, Ollama silently drops messages that do not fit. Older versions ignore both.
    truncate: false,
    shift: false,
    ...(areTools && {
      tools: tools.map(({ name, description = '', parameters }) => ({
        type: 'function',
        function: {
          name,
          description,
          parameters: parameters ?? { type: 'object', properties: {} },
        },
      })),
    }),
    ...(think !== undefined && { think }),
    ...(keepAlive !== undefined && { keep_alive: durationOf(keepAlive) }),
    ...(responseFormat?.type === 'json' && { format: responseFormat.schema ?? 'json' }),
    options: {
      num_predict: limit,
      ...(stop.length > 0 && { stop }),
      temperature,
      top_p: topP,
      seed,
      ...optionsIn(more),
      ...optionsIn(body),
      // Overrides all other options, because prompts are cut to this size.
      ...(numCtx !== undefined && { num_ctx: numCtx }),
    },
  }
}

type Fields = Readonly<Record<string, unknown>>

/** The members of `options`, and the fields beside it that are options in Ollama's API but not in OpenAI's. */
function optionsIn({ options, ...fields }: Fields): object {
  const beside = Object.entries(fields).flatMap(([name, value]) => {
    const option = OPTIONS.get(name)
    return option === undefined ? [] : [[option, value] as const]
  })
  return { ...Object.fromEntries(beside), ...asObject(options) }
}

function withoutOptions(fields: Fields): object {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !OPTIONS.has(name)))
}

/** Ollama's names of its options, by the names in requests: `Options` in its api/types.go. */
const OPTIONS: ReadonlyMap<string, string> = new Map([
  ['repetition_penalty', 'repeat_penalty'],
  ...[
    'frequency_penalty',
    'main_gpu',
    'min_p',
    'num_batch',
    'num_ctx',
    'num_gpu',
    'num_keep',
    'num_predict',
    'num_thread',
    'presence_penalty',
    'repeat_last_n',
    'repeat_penalty',
    'seed',
    'stop',
    'temperature',
    'top_k',
    'top_p',
    'typical_p',
    'use_mmap',
  ].map((name) => [name, name] as const),
])

/** Numbers are seconds, and -1 means forever; texts have a unit. */
function durationOf(text: string): string | number {
  return /^-?\d+$/.test(text) ? Number(text) : text
}

/** The names of called tools, by the id of the call. */
function calledNames(messages: readonly ChatMessage[]): ReadonlyMap<string, string> {
  const calls = messages.flatMap((message) =>
    message.role === 'assistant' ? (message.calls ?? []) : [],
  )
  return new Map(calls.map(({ id, name }) => [id, name]))
}

/** In Ollama's API, arguments are objects, and a result has the name of its tool instead of the id of its call. */
function ollamaMessage(message: ChatMessage, names: ReadonlyMap<string, string>): object {
  const { role, content } = message
  if (role === 'tool') {
    const name = message.call === undefined ? undefined : names.get(message.call)
    return { role, content, tool_name: name }
  }
  if (role === 'user') {
    const images = imagesIn(message)
    return { role, content: textOf(content), ...(images.length > 0 && { images }) }
  }
  if (role !== 'assistant' || !message.calls?.length) return { role, content: textOf(content) }
  return {
    role,
    content,
    tool_calls: message.calls.map(({ name, args }) => ({ function: { name, arguments: args } })),
  }
}

function imagesIn({ content }: ChatMessage): string[] {
  if (typeof content === 'string') return []
  return content.flatMap((part) => {
    if (part.type === 'text') return []
    const image = readImageData(part.url)
    if (!image)
      throw new ModelError(
        'refused',
        'Ollama does not fetch images from addresses. Attach the file.',
      )
    return [image.data]
  })
}
