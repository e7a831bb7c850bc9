import { isObject } from '@toolglot/agent/internal'
import type { RequestDraft } from '../draft.ts'
import {
  expectInteger,
  expectList,
  expectObject,
  expectOneOf,
  type Fields,
  refused,
} from '../expect.ts'
import type { Parameter } from '../parameter.ts'
import {
  dropped,
  extensionParameter,
  ignored,
  lengthParameter,
  modelParameter,
  parallelParameter,
  refusedParameter,
  samplingParameters,
  stopParameter,
  streamParameter,
  temperatureParameter,
  topPParameter,
} from '../shared-parameters.ts'
import { readMessages } from './read-messages.ts'
import { readToolChoice, readTools } from './read-tools.ts'

/** A request while it is read. */
export interface ChatDraft extends RequestDraft {
  includeUsage: boolean
}

/** Every parameter of a chat completion, and what becomes of it. The documentation shows this table. */
export const chatParameters: readonly Parameter<ChatDraft>[] = [
  modelParameter,
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
      draft.tools = readTools(value, draft.notes)
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
  parallelParameter,
  streamParameter,
  {
    name: 'stream_options',
    treatment: 'emulate',
    note: '`include_usage`',
    read(value, draft) {
      draft.includeUsage = expectObject('stream_options', value)['include_usage'] === true
    },
  },
  extensionParameter,
  lengthParameter('max_tokens'),
  lengthParameter('max_completion_tokens'),
  temperatureParameter,
  topPParameter,
  {
    name: 'seed',
    treatment: 'pass',
    read(value, draft) {
      // What some servers call a random one.
      if (value === -1) return
      draft.options.seed = expectInteger('seed', value, [0, Number.MAX_SAFE_INTEGER])
    },
  },
  stopParameter('stop'),
  ...samplingParameters(
    'top_k',
    'min_p',
    'presence_penalty',
    'frequency_penalty',
    'repetition_penalty',
  ),
  {
    name: 'response_format',
    treatment: 'pass',
    note: 'dropped if tools are offered, because it would rule out calls that are text',
    read: readResponseFormat,
  },
  ...ignored(
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
  ),
  ...dropped('logprobs', 'top_logprobs', 'logit_bias', 'web_search_options'),
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
  refusedParameter('audio', 'audio', 'leave it out'),
  ...['functions', 'function_call'].map((name) =>
    refusedParameter(name, `\`${name}\`, which is deprecated`, 'use `tools` and `tool_choice`'),
  ),
]

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
