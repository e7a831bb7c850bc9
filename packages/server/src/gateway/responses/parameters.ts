import type { RequestDraft, Parameter } from '../parameter.ts'
import {
  expectFlag,
  expectObject,
  expectText,
  refused,
  expectList,
  type Fields,
} from '../expect.ts'
import {
  OPEN_AI_IGNORED,
  OPEN_AI_SAMPLING,
  openAiToolsNote,
  readFormat,
  toolChoiceParameter,
  OPEN_AI_TOOLS,
} from '../open-ai.ts'
import type { ConversationItem, RequestedTool } from '../request.ts'
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
  streamParameter,
  temperatureParameter,
  topPParameter,
} from '../shared-parameters.ts'
import { type InputItem, type Namespaces, flatName, type NamespacedTool } from './history.ts'
import { readInput } from './read-input.ts'
import type { ToolChoice } from '@toolglot/agent/models'
import { leaveOut, MAX_TOOLS, namedTool, readCustom, readFunction } from '../offered-tool.ts'

/** A request that is being parsed. */
export interface ResponsesDraft extends RequestDraft {
  instructions: readonly ConversationItem[]
  input: readonly InputItem[]
  previous?: string
  namespaces: Namespaces
  /** True if the response is stored for later requests. */
  isKept: boolean
}

/** Every parameter of Responses, and its treatment. The documentation shows this table. */
export const responsesParameters: readonly Parameter<ResponsesDraft>[] = [
  modelParameter,
  {
    name: 'instructions',
    treatment: 'emulate',
    note: 'added at the beginning of the prompt',
    read(value, draft) {
      draft.instructions = [{ role: 'system', content: expectText('instructions', value) }]
    },
  },
  {
    name: 'input',
    treatment: 'emulate',
    note: 'printed in the model’s protocol, after one system message. `item_reference` is replaced by the earlier output. Images are passed on if the model accepts them; otherwise images in results are omitted with a note to the model. Reasoning is omitted; `input_file` and `input_audio` are refused',
    read(value, draft) {
      draft.input = readInput(value, draft.notes)
    },
  },
  {
    name: 'previous_response_id',
    treatment: 'emulate',
    note: 'the id of a recent response to a request with the same token; see [kept responses](#kept-responses)',
    read(value, draft) {
      draft.previous = expectText('previous_response_id', value)
    },
  },
  {
    name: 'store',
    treatment: 'emulate',
    note: 'with `false`, the response is not stored',
    read(value, draft) {
      draft.isKept = expectFlag('store', value)
    },
  },
  {
    name: 'tools',
    treatment: 'emulate',
    note: openAiToolsNote('; the tools of a `namespace` get its name as a prefix'),
    read(value, draft) {
      const { tools, namespaces } = readTools(value, draft.notes)
      draft.tools = tools
      draft.namespaces = namespaces
    },
  },
  toolChoiceParameter(readNamedTool),
  parallelParameter,
  streamParameter,
  extensionParameter,
  lengthParameter('max_output_tokens'),
  temperatureParameter,
  topPParameter,
  ...samplingParameters(...OPEN_AI_SAMPLING),
  {
    name: 'text',
    treatment: 'pass',
    note: `\`format\`, ${FORMAT_NOTE}; \`verbosity\` is ignored`,
    read(value, draft) {
      const { format } = expectObject('text', value)
      if (format !== undefined && format !== null)
        readFormat('text.format', format, draft, (given) => given)
    },
  },
  ...ignored(
    'include',
    ...OPEN_AI_IGNORED,
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

/**
 * Reads the tools of a request. Tools in a namespace get its name as a prefix. Omitted tools are
 * noted.
 */
function readTools(
  value: unknown,
  notes: string[],
): { readonly tools: readonly RequestedTool[]; readonly namespaces: Namespaces } {
  const namespaces = new Map<string, NamespacedTool>()
  const tools = expectList('tools', value, MAX_TOOLS).flatMap((each, at) => {
    const where = `tools[${at}]`
    const tool = expectObject(where, each)
    if (tool['type'] !== 'namespace') return readTool(where, tool, notes)
    const namespace = expectText(`${where}.name`, tool['name'])
    const inside = expectList(`${where}.tools`, tool['tools'], MAX_TOOLS)
    return inside.flatMap((one, index) => {
      const here = `${where}.tools[${index}]`
      return readTool(here, expectObject(here, one), notes).map((read) => {
        const { name } = read.definition
        const flat = flatName(namespace, name)
        namespaces.set(flat, { namespace, name })
        return { ...read, definition: { ...read.definition, name: flat } }
      })
    })
  })
  expectList('tools', tools, MAX_TOOLS)
  return { tools, namespaces }
}

function readTool(where: string, tool: Fields, notes: string[]): readonly RequestedTool[] {
  const { type } = tool
  if (type === 'function') return [readFunction(where, tool, 'parameters')]
  if (type === 'custom') return [readCustom(where, tool)]
  return leaveOut(where, type, OPEN_AI_TOOLS, { expected: 'function, custom or namespace', notes })
}

/** Reads the tool that must be called. */
function readNamedTool({ name, namespace }: Fields, tools: readonly RequestedTool[]): ToolChoice {
  const isInside = typeof namespace === 'string' && typeof name === 'string'
  return namedTool(tools, isInside ? flatName(namespace, name) : name)
}
