import type { ToolDefinition } from '@toolglot/core'
import { checkChatStream } from './check-chat-stream.ts'
import { checkMessagesStream } from './check-messages-stream.ts'
import { checkResponsesStream } from './check-responses-stream.ts'
import type { CheckedStream, StreamedCall } from './checked-stream.ts'

/** An API, as tests use it. */
export interface Speaker {
  readonly path: string
  /** A request. */
  body(options: SpeakerRequest): Record<string, unknown>
  /** The content of a streamed answer, and its problems. */
  stream(text: string): CheckedStream
  /** The content of a complete answer. */
  whole(text: string): SpokenAnswer
  /** The API's reasons for the end of an answer. */
  readonly finish: Readonly<Record<'answer' | 'calls' | 'length', string>>
  /** The code in an error of the API. */
  errorCode(body: unknown): string
  /** A user message with an image. */
  image(url: string): object
}

export interface SpeakerRequest {
  readonly prompt?: string
  readonly tools?: readonly ToolDefinition[]
  readonly stream?: boolean
}

export type SpokenAnswer = Pick<CheckedStream, 'text' | 'calls' | 'finish'>

type Fields = Record<string, never>

/** The code in an OpenAI error. */
function openAiCode(body: unknown): string {
  const { error } = body as { error: Record<string, unknown> }
  const { message, type, param, code, ...others } = error
  const isWhole = typeof message === 'string' && typeof type === 'string' && param !== undefined
  if (!isWhole || Object.keys(others).length > 0) throw new Error(JSON.stringify(body))
  return String(code)
}

const chat: Speaker = {
  path: '/v1/chat/completions',
  body: ({ prompt = 'Hi', tools = [], stream = false }) => ({
    model: 'any',
    messages: [{ role: 'user', content: prompt }],
    ...(tools.length > 0 && { tools: tools.map((each) => ({ type: 'function', function: each })) }),
    stream,
  }),
  stream: (text) => checkChatStream(text, { usage: false }),
  whole(text) {
    const { choices } = JSON.parse(text) as { choices: [Fields] }
    const { message, finish_reason: finish } = choices[0] as unknown as {
      message: { content: string | null; tool_calls?: { id: string; function: Fields }[] }
      finish_reason: string
    }
    const calls = (message.tool_calls ?? []).map(
      ({ id, function: called }) => ({ id, ...called }) as unknown as StreamedCall,
    )
    return { text: message.content ?? '', calls, finish }
  },
  finish: { answer: 'stop', calls: 'tool_calls', length: 'length' },
  errorCode: openAiCode,
  image: (url) => ({
    messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }],
  }),
}

const responses: Speaker = {
  path: '/v1/responses',
  body: ({ prompt = 'Hi', tools = [], stream = false }) => ({
    model: 'any',
    input: prompt,
    ...(tools.length > 0 && { tools: tools.map((each) => ({ type: 'function', ...each })) }),
    stream,
  }),
  stream: (text) => checkResponsesStream(text),
  whole(text) {
    const { output, status } = JSON.parse(text) as {
      output: { type: string; content?: { text: string }[]; call_id: string }[]
      status: string
    }
    const texts = output.flatMap(({ content = [] }) => content.map((part) => part.text))
    const calls = output.flatMap((item) =>
      item.type === 'function_call' ? [{ ...item, id: item.call_id } as never as StreamedCall] : [],
    )
    return { text: texts.join(''), calls, finish: status }
  },
  finish: { answer: 'completed', calls: 'completed', length: 'incomplete' },
  errorCode: openAiCode,
  image: (url) => ({
    input: [{ role: 'user', content: [{ type: 'input_image', image_url: url }] }],
  }),
}

const messages: Speaker = {
  path: '/v1/messages',
  body: ({ prompt = 'Hi', tools = [], stream = false }) => ({
    model: 'any',
    max_tokens: 1000,
    messages: [{ role: 'user', content: prompt }],
    ...(tools.length > 0 && {
      tools: tools.map(({ parameters, ...each }) => ({ ...each, input_schema: parameters })),
    }),
    stream,
  }),
  stream: (text) => checkMessagesStream(text),
  whole(text) {
    const { content, stop_reason: finish } = JSON.parse(text) as {
      content: { type: string; text?: string; id: string; name: string; input: object }[]
      stop_reason: string
    }
    const calls = content.flatMap(({ type, id, name, input }) =>
      type === 'tool_use' ? [{ id, name, arguments: JSON.stringify(input) }] : [],
    )
    return { text: content.map((block) => block.text ?? '').join(''), calls, finish }
  },
  finish: { answer: 'end_turn', calls: 'tool_use', length: 'max_tokens' },
  errorCode(body) {
    const { type, error } = body as { type: string; error: Record<string, unknown> }
    const { type: kind, message, details, ...others } = error
    const isWhole = type === 'error' && typeof kind === 'string' && typeof message === 'string'
    if (!isWhole || Object.keys(others).length > 0) throw new Error(JSON.stringify(body))
    return String((details as { error_code: unknown }).error_code)
  },
  image(url) {
    const [, media, data] = /^data:(.+);base64,(.+)$/.exec(url) ?? []
    const source = data ? { type: 'base64', media_type: media, data } : { type: 'url', url }
    return { messages: [{ role: 'user', content: [{ type: 'image', source }] }] }
  },
}

/** The APIs for tests. */
export const speakers: Readonly<Record<string, Speaker>> = { chat, responses, messages }
