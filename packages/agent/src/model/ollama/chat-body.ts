import { asObject } from '../as-object.ts'
import { type ChatMessage, textOf, readImageData } from '../chat-message.ts'
import type { ModelRequest } from '../model.ts'
import { ModelError } from '../model-error.ts'
import { checkBody } from '../open-ai/request-body.ts'

/** The settings for a request, apart from the conversation. */
export interface OllamaSettings {
  readonly model: string
  /** The size of the context in tokens. Undefined for Ollama's default. */
  readonly numCtx: number | undefined
  /** The maximum number of tokens in a reply, unless the request sets one. */
  readonly room: number | undefined
  /** Turns thinking on or off, or sets its amount. */
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
  // Ollama can neither require nor forbid calls, so `none` sends no tools.
  const areTools = tools.length > 0 && toolChoice !== 'none'
  return {
    ...withoutOptions(given),
    model,
    messages: sent,
    stream: true,
    // Without these fields, Ollama silently drops messages that do not fit. Older versions ignore
    // both.
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
      // Takes precedence over all other options, because prompts are truncated to this size.
      ...(numCtx !== undefined && { num_ctx: numCtx }),
    },
  }
}

type Fields = Readonly<Record<string, unknown>>

/**
 * The members of `options`, and the top-level fields that are options in Ollama's API but not in
 * OpenAI's.
 */
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

/** Ollama's option names, by the names used in requests. See `Options` in Ollama's api/types.go. */
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

/** Numbers are seconds, and -1 means unlimited. Strings contain a unit. */
function durationOf(text: string): string | number {
  return /^-?\d+$/.test(text) ? Number(text) : text
}

/** The names of called tools by call id. */
function calledNames(messages: readonly ChatMessage[]): ReadonlyMap<string, string> {
  const calls = messages.flatMap((message) =>
    message.role === 'assistant' ? (message.calls ?? []) : [],
  )
  return new Map(calls.map(({ id, name }) => [id, name]))
}

/**
 * In Ollama's API, arguments are objects, and a result contains the name of its tool instead of the
 * id of its call.
 */
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
