import { isObject } from '@toolglot/agent/internal'
import type { RequestDraft } from '../draft.ts'
import { expectFlag, expectObject, expectOneOf, expectText } from '../expect.ts'
import { refused } from '../expect.ts'
import type { Parameter } from '../parameter.ts'
import type { ConversationItem } from '../request.ts'
import {
  dropped,
  extensionParameter,
  ignored,
  lengthParameter,
  modelParameter,
  parallelParameter,
  refusedParameter,
  samplingParameters,
  streamParameter,
  temperatureParameter,
  topPParameter,
} from '../shared-parameters.ts'
import type { InputItem } from './history.ts'
import type { Namespaces } from './namespace.ts'
import { readInput } from './read-input.ts'
import { readToolChoice, readTools } from './read-tools.ts'

/** A request while it is read. */
export interface ResponsesDraft extends RequestDraft {
  instructions: readonly ConversationItem[]
  input: readonly InputItem[]
  previous?: string
  namespaces: Namespaces
  /** Whether the response is kept, for requests that refer to it. */
  isKept: boolean
}

/** Every parameter of Responses, and what becomes of it. The documentation shows this table. */
export const responsesParameters: readonly Parameter<ResponsesDraft>[] = [
  modelParameter,
  {
    name: 'instructions',
    treatment: 'emulate',
    note: 'drawn in front',
    read(value, draft) {
      draft.instructions = [{ role: 'system', content: expectText('instructions', value) }]
    },
  },
  {
    name: 'input',
    treatment: 'emulate',
    note: 'drawn in the model’s protocol: one system text first, results as the model knows them. `item_reference` is replaced by what was answered. Images are passed where the model takes them; images in results are otherwise left out, and the model is told. Reasoning is left out, `input_file` and `input_audio` are refused',
    read(value, draft) {
      draft.input = readInput(value, draft.notes)
    },
  },
  {
    name: 'previous_response_id',
    treatment: 'emulate',
    note: 'the latest responses are kept in memory, for the same token only: 1000, 16 MB and 24 hours',
    read(value, draft) {
      draft.previous = expectText('previous_response_id', value)
    },
  },
  {
    name: 'store',
    treatment: 'emulate',
    note: '`false`: the response is not kept',
    read(value, draft) {
      draft.isKept = expectFlag('store', value)
    },
  },
  {
    name: 'tools',
    treatment: 'emulate',
    note: 'described in the prompt, or passed to native function calling. `strict: true` is checked, except for `pattern` and `format`. `custom` tools get one argument, `input`; the tools of a `namespace` get its name in front. `web_search` and `tool_search` are dropped; `local_shell`, `computer_use_preview` and `mcp` are refused',
    read(value, draft) {
      const { tools, namespaces } = readTools(value, draft.notes)
      draft.tools = tools
      draft.namespaces = namespaces
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
  extensionParameter,
  lengthParameter('max_output_tokens'),
  temperatureParameter,
  topPParameter,
  ...samplingParameters('top_k', 'min_p', 'presence_penalty', 'frequency_penalty'),
  {
    name: 'text',
    treatment: 'pass',
    note: '`format`, dropped if tools are offered, because it would rule out calls that are text; `verbosity` is ignored',
    read: readTextFormat,
  },
  ...ignored(
    'include',
    'metadata',
    'user',
    'safety_identifier',
    'prompt_cache_key',
    'prompt_cache_retention',
    'service_tier',
    'reasoning',
    'client_metadata',
    'context_management',
    'stream_options',
    'max_tool_calls',
    'truncation',
  ),
  ...dropped('top_logprobs'),
  {
    name: 'background',
    treatment: 'refuse',
    note: 'except `false`',
    read(value) {
      if (value !== false) throw refused('background', 'responses in the background', 'stream it')
    },
  },
  refusedParameter('conversation', 'conversations', 'use `previous_response_id`'),
  refusedParameter('prompt', 'stored prompts', 'send `instructions` and `input`'),
]

function readTextFormat(value: unknown, draft: ResponsesDraft): void {
  const { format } = expectObject('text', value)
  if (format === undefined || format === null) return
  const { type: given, schema, name } = expectObject('text.format', format)
  const type = expectOneOf('text.format.type', given, ['text', 'json_object', 'json_schema'])
  if (type === 'text') return
  if (draft.tools.length > 0) draft.notes.push('dropped:text.format')
  else
    draft.options.responseFormat = {
      type: 'json',
      ...(type === 'json_schema' && isObject(schema) && { schema }),
      ...(typeof name === 'string' && { name }),
    }
}
