import { isObject } from '@toolglot/agent/internal'
import {
  expectFlag,
  expectInteger,
  expectList,
  expectNumber,
  expectObject,
  expectOneOf,
  expectText,
  type Fields,
  invalid,
  refused,
} from '../expect.ts'
import type { Parameter } from '../parameter.ts'
import type { GatewayRequest } from '../request.ts'
import { readMessages } from './read-messages.ts'
import { readToolChoice, readTools } from './read-tools.ts'

/** A request while it is read. */
export interface ChatDraft {
  model?: string
  conversation: GatewayRequest['conversation']
  tools: GatewayRequest['tools']
  options: { -readonly [Key in keyof GatewayRequest['options']]: GatewayRequest['options'][Key] }
  stream: boolean
  includeUsage: boolean
  streamArguments?: boolean
  readonly notes: string[]
}

/** Every parameter of a chat completion, and what becomes of it. The documentation shows this table. */
export const chatParameters: readonly Parameter<ChatDraft>[] = [
  {
    name: 'model',
    treatment: 'emulate',
    note: 'selects one of `/v1/models`',
    read(value, draft) {
      draft.model = expectText('model', value)
    },
  },
  {
    name: 'messages',
    treatment: 'emulate',
    note: 'drawn in the model’s protocol: one system text first, results as the model knows them. Images are passed where the model takes them; audio and files are refused',
    read(value, draft) {
      draft.conversation = readMessages(value)
    },
  },
  {
    name: 'tools',
    treatment: 'emulate',
    note: 'described in the prompt, or passed to native function calling. `strict: true` is checked, except for `pattern` and `format`. `custom` tools get one argument, `input`. `web_search` and `tool_search` are dropped; `local_shell`, `computer_use_preview` and `mcp` are refused',
    read(value, draft) {
      const { tools, dropped } = readTools(value)
      draft.tools = tools
      draft.notes.push(...dropped.map((type) => `dropped:${type}`))
    },
  },
  {
    name: 'tool_choice',
    treatment: 'emulate',
    note: '`required` and a named tool: the reply is begun for the model if it allows that, else it is asked once more, else the request fails',
    read(value, draft) {
      draft.options.toolChoice = readToolChoice(value, draft.tools)
    },
  },
  {
    name: 'parallel_tool_calls',
    treatment: 'emulate',
    note: '`false`: reading stops after the first call',
    read(value, draft) {
      if (!expectFlag('parallel_tool_calls', value)) draft.options.stopAtFirstCall = true
    },
  },
  {
    name: 'stream',
    treatment: 'emulate',
    read(value, draft) {
      draft.stream = expectFlag('stream', value)
    },
  },
  {
    name: 'stream_options',
    treatment: 'emulate',
    note: '`include_usage`',
    read(value, draft) {
      draft.includeUsage = expectObject('stream_options', value)['include_usage'] === true
    },
  },
  {
    name: 'toolglot',
    treatment: 'emulate',
    note: 'an extension: `{ "stream_arguments": true }` streams arguments while the model writes them',
    read: readExtension,
  },
  {
    name: 'max_tokens',
    treatment: 'pass',
    read(value, draft) {
      draft.options.maxOutputTokens = expectInteger('max_tokens', value, COUNT)
    },
  },
  {
    name: 'max_completion_tokens',
    treatment: 'pass',
    read(value, draft) {
      draft.options.maxOutputTokens = expectInteger('max_completion_tokens', value, COUNT)
    },
  },
  {
    name: 'temperature',
    treatment: 'pass',
    read(value, draft) {
      draft.options.temperature = expectNumber('temperature', value, [0, 2])
    },
  },
  {
    name: 'top_p',
    treatment: 'pass',
    read(value, draft) {
      draft.options.topP = expectNumber('top_p', value, [0, 1])
    },
  },
  {
    name: 'seed',
    treatment: 'pass',
    read(value, draft) {
      // What some servers call a random one.
      if (value === -1) return
      draft.options.seed = expectInteger('seed', value, [0, Number.MAX_SAFE_INTEGER])
    },
  },
  {
    name: 'stop',
    treatment: 'pass',
    read(value, draft) {
      const list = typeof value === 'string' ? [value] : expectList('stop', value, 16)
      draft.options.stop = list.map((text, at) => expectText(`stop[${at}]`, text))
    },
  },
  ...['top_k', 'min_p', 'presence_penalty', 'frequency_penalty', 'repetition_penalty'].map(
    (name): Parameter<ChatDraft> => ({
      name,
      treatment: 'pass',
      read(value, draft) {
        const body = { [name]: expectNumber(name, value, [-1000, 1000]) }
        draft.options.body = { ...draft.options.body, ...body }
      },
    }),
  ),
  {
    name: 'response_format',
    treatment: 'pass',
    note: 'dropped if tools are offered, because it would rule out calls that are text',
    read: readResponseFormat,
  },
  ...[
    'store',
    'metadata',
    'user',
    'safety_identifier',
    'prompt_cache_key',
    'prompt_cache_retention',
    'service_tier',
    'reasoning_effort',
    'reasoning',
    'thinking',
    'verbosity',
    'prediction',
    'include_reasoning',
    'cache_control',
  ].map((name): Parameter<ChatDraft> => ({ name, treatment: 'ignore' })),
  ...['logprobs', 'top_logprobs', 'logit_bias', 'web_search_options'].map(
    (name): Parameter<ChatDraft> => ({ name, treatment: 'drop' }),
  ),
  {
    name: 'n',
    treatment: 'refuse',
    note: 'except 1: ask again for another reply',
    read(value) {
      if (value !== 1) throw refused('n', 'several replies', 'leave out n, and ask again')
    },
  },
  {
    name: 'modalities',
    treatment: 'refuse',
    note: 'except `["text"]`',
    read(value) {
      const isText = expectList('modalities', value, 9).every((each) => each === 'text')
      if (!isText) throw refused('modalities', 'replies that are not text', 'leave it out')
    },
  },
  {
    name: 'audio',
    treatment: 'refuse',
    read() {
      throw refused('audio', 'audio', 'leave it out')
    },
  },
  ...['functions', 'function_call'].map((name): Parameter<ChatDraft> => ({
    name,
    treatment: 'refuse',
    note: 'use `tools` and `tool_choice`',
    read() {
      throw refused(name, `\`${name}\`, which is deprecated`, 'use tools and tool_choice')
    },
  })),
]

const COUNT = [1, 1 << 30] as const

function readExtension(value: unknown, draft: ChatDraft): void {
  const { stream_arguments: stream, ...others } = expectObject('toolglot', value)
  const [unknown] = Object.keys(others)
  if (unknown !== undefined) throw invalid('toolglot', '{ stream_arguments }', unknown)
  if (stream !== undefined) draft.streamArguments = expectFlag('toolglot.stream_arguments', stream)
}

function readResponseFormat(value: unknown, draft: ChatDraft, body: Fields): void {
  const format = expectObject('response_format', value)
  const type = expectOneOf('response_format.type', format['type'], [
    'text',
    'json_object',
    'json_schema',
  ])
  if (type === 'text') return
  if (Array.isArray(body['tools']) && body['tools'].length > 0) {
    draft.notes.push('dropped:response_format')
    return
  }
  const given = format['json_schema']
  if (type === 'json_schema') {
    const { schema, name } = expectObject('response_format.json_schema', given)
    draft.options.responseFormat = {
      type: 'json',
      ...(isObject(schema) && { schema }),
      ...(typeof name === 'string' && { name }),
    }
  } else draft.options.responseFormat = { type: 'json' }
}
