import type { RequestDraft, Parameter } from '../parameter.ts'
import {
  expectInteger,
  expectList,
  expectObject,
  refused,
  type Fields,
  invalid,
  expectOneOf,
  expectText,
} from '../expect.ts'
import {
  OPEN_AI_IGNORED,
  OPEN_AI_SAMPLING,
  openAiToolsNote,
  readFormat,
  toolChoiceParameter,
  OPEN_AI_TOOLS,
} from '../open-ai.ts'
import {
  dropped,
  extensionParameter,
  FORMAT_NOTE,
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
import { isObject } from '@toolglot/agent/internal'
import type { ToolChoice } from '@toolglot/agent/models'
import { leaveOut, MAX_TOOLS, namedTool, readCustom, readFunction } from '../offered-tool.ts'
import type { RequestedTool, ConversationCall, ConversationItem } from '../request.ts'
import { contentOf, onlyText, type Part, readImage, readParts, resultOf } from '../content.ts'
import { readArguments } from '../read-json.ts'

/** Reads the messages of a chat completion. */
function readMessages(value: unknown): readonly ConversationItem[] {
  const list = expectList('messages', value, MAX_MESSAGES)
  return list.map((each, at) => readMessage(`messages[${at}]`, each))
}

const MAX_MESSAGES = 20_000

function readMessage(where: string, value: unknown): ConversationItem {
  const message = expectObject(where, value)
  const { content } = message
  if (message['role'] === 'function')
    throw refused(`${where}.role`, 'the role function, which is deprecated', 'use the role tool')
  const role = expectOneOf(`${where}.role`, message['role'], [
    'system',
    'developer',
    'user',
    'assistant',
    'tool',
  ])
  const parts = readParts(`${where}.content`, content, readPart)
  const text = (): string => onlyText(`${where}.content`, parts)
  switch (role) {
    case 'system':
    case 'developer':
      return { role: 'system', content: text() }
    case 'user':
      return { role, content: contentOf(parts) }
    case 'assistant':
      return {
        role,
        content: text(),
        calls: readCalls(`${where}.tool_calls`, message['tool_calls']),
      }
    case 'tool':
      return resultOf(expectText(`${where}.tool_call_id`, message['tool_call_id']), parts)
  }
}

function readPart(where: string, value: unknown): Part {
  const part = expectObject(where, value)
  const { type } = part
  if (type === 'text') return { type, text: expectText(`${where}.text`, part['text']) }
  if (type === 'refusal')
    return { type: 'text', text: expectText(`${where}.refusal`, part['refusal']) }
  if (type === 'image_url') {
    const image = part['image_url']
    const url = isObject(image) ? image['url'] : image
    return readImage(`${where}.image_url.url`, url)
  }
  if (type === 'input_audio' || type === 'file')
    throw refused(`${where}.type`, `parts of the type ${type}`, 'send their content as text')
  throw invalid(`${where}.type`, 'text or image_url', type)
}

function readCalls(where: string, value: unknown): readonly ConversationCall[] {
  if (value === undefined || value === null) return []
  return expectList(where, value, MAX_CALLS).map((each, at) => {
    const call = expectObject(`${where}[${at}]`, each)
    const id = expectText(`${where}[${at}].id`, call['id'])
    const { custom } = call
    if (isObject(custom)) {
      const { name, input } = custom
      return {
        id,
        name: expectText(`${where}[${at}].custom.name`, name),
        args: { input: expectText(`${where}[${at}].custom.input`, input) },
      }
    }
    const wanted = expectObject(`${where}[${at}].function`, call['function'])
    return {
      id,
      name: expectText(`${where}[${at}].function.name`, wanted['name']),
      args: readArguments(`${where}[${at}].function.arguments`, wanted['arguments']),
    }
  })
}

const MAX_CALLS = 1000

/** A request that is being parsed. */
export interface ChatDraft extends RequestDraft {
  includeUsage: boolean
}

/** Every parameter of a chat completion, and its treatment. The documentation shows this table. */
export const chatParameters: readonly Parameter<ChatDraft>[] = [
  modelParameter,
  {
    name: 'messages',
    treatment: 'emulate',
    note: 'printed in the model’s protocol, after one system message. Images are passed on if the model accepts them; otherwise images in results are omitted with a note to the model; audio and files are refused',
    read(value, draft) {
      draft.conversation = readMessages(value)
    },
  },
  {
    name: 'tools',
    treatment: 'emulate',
    note: openAiToolsNote(),
    read(value, draft) {
      draft.tools = readTools(value, draft.notes)
    },
  },
  toolChoiceParameter(readNamedTool),
  parallelParameter,
  streamParameter,
  {
    name: 'stream_options',
    treatment: 'emulate',
    note: '`include_usage` is supported',
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
      // Some clients request a random seed with -1.
      if (value === -1) return
      draft.options.seed = expectInteger('seed', value, [0, Number.MAX_SAFE_INTEGER])
    },
  },
  stopParameter('stop'),
  ...samplingParameters(...OPEN_AI_SAMPLING, 'repetition_penalty'),
  {
    name: 'response_format',
    treatment: 'pass',
    note: FORMAT_NOTE,
    read(value, draft) {
      readFormat('response_format', value, draft, ({ json_schema: schema }) =>
        expectObject('response_format.json_schema', schema),
      )
    },
  },
  ...ignored(
    'store',
    ...OPEN_AI_IGNORED,
    'reasoning_effort',
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
    note: 'except 1: send several requests instead',
    read(value) {
      if (value !== 1)
        throw refused('n', 'several replies', 'leave out n and send several requests')
    },
  },
  {
    name: 'modalities',
    treatment: 'refuse',
    note: 'except `["text"]`',
    read(value) {
      const isText = expectList('modalities', value, 9).every((each) => each === 'text')
      if (!isText) throw refused('modalities', 'replies that are not text', 'leave out modalities')
    },
  },
  refusedParameter('audio', 'audio', 'leave it out'),
  ...['functions', 'function_call'].map((name) =>
    refusedParameter(name, `\`${name}\`, which is deprecated`, 'use `tools` and `tool_choice`'),
  ),
]

/** Reads the tools of a chat completion. Omitted tools are noted. */
function readTools(value: unknown, notes: string[]): readonly RequestedTool[] {
  return expectList('tools', value, MAX_TOOLS).flatMap((each, at): RequestedTool[] => {
    const tool = expectObject(`tools[${at}]`, each)
    const { type } = tool
    if (type === 'function' || type === 'custom') {
      const where = `tools[${at}].${type}`
      const definition = expectObject(where, tool[type])
      if (type === 'custom') return [readCustom(where, definition)]
      return [readFunction(where, definition, 'parameters')]
    }
    const expected = 'function or custom'
    return [...leaveOut(`tools[${at}]`, type, OPEN_AI_TOOLS, { expected, notes })]
  })
}

/** Reads the tool that must be called. */
function readNamedTool(
  { type, function: named, custom }: Fields,
  tools: readonly RequestedTool[],
): ToolChoice {
  const choice = type === 'custom' ? custom : named
  if (!isObject(choice) || typeof choice['name'] !== 'string')
    throw invalid('tool_choice', 'auto, none, required or the name of a function', choice)
  return namedTool(tools, choice['name'])
}
