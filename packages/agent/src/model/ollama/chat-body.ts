import { asObject } from '../as-object.ts'
import type { ChatMessage } from '../chat-message.ts'
import { textOf, readImageData } from '../content.ts'
import type { ModelRequest } from '../model.ts'
import { ModelError } from '../model-error.ts'
import { checkBody } from '../open-ai/request-body.ts'

/** What a request says besides the conversation. */
export interface OllamaSettings {
  readonly model: string
  /** The size of the context, in tokens; undefined: as Ollama chooses. */
  readonly numCtx: number | undefined
  /** How many tokens a reply may have, if the request sets no limit. */
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
  // Ollama has no way to demand a call or to forbid one: without tools, there is none.
  const areTools = tools.length > 0 && toolChoice !== 'none'
  return {
    ...withoutOptions(given),
    model,
    messages: sent,
    stream: true,
    // Without these, what does not fit is dropped silently. Older versions ignore them.
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
      // Prompts are made to fit into it, whatever else is said.
      ...(numCtx !== undefined && { num_ctx: numCtx }),
    },
  }
}

type Fields = Readonly<Record<string, unknown>>

/** What `options` has, and those fields beside it that are options in Ollama's API, unlike in OpenAI's. */
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

/** What Ollama calls its options, by how a request may name them: `Options` in its api/types.go. */
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

/** The names of the tools that were called, by the id of the call. */
function calledNames(messages: readonly ChatMessage[]): ReadonlyMap<string, string> {
  const calls = messages.flatMap((message) =>
    message.role === 'assistant' ? (message.calls ?? []) : [],
  )
  return new Map(calls.map(({ id, name }) => [id, name]))
}

/** Ollama takes arguments as objects, and names the tool of a result instead of its call. */
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
        'Expected an image as data, got the address of one: Ollama does not fetch images. Attach the file.',
      )
    return [image.data]
  })
}
