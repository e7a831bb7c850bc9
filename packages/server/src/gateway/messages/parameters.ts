import type { RequestDraft, Parameter } from '../parameter.ts'
import {
  expectFlag,
  expectObject,
  expectText,
  expectList,
  expectOneOf,
  type Fields,
} from '../expect.ts'
import { GatewayError } from '../gateway-error.ts'
import {
  CHOICE_NOTE,
  extensionParameter,
  FORMAT_NOTE,
  ignored,
  lengthParameter,
  modelParameter,
  refusedParameter,
  requireJson,
  samplingParameters,
  stopParameter,
  streamParameter,
  temperatureParameter,
  TOOLS_NOTE,
  topPParameter,
} from '../shared-parameters.ts'
import type { ConversationItem, RequestedTool } from '../request.ts'
import { readMessages, readSystem } from './read-messages.ts'
import type { ToolChoice } from '@toolglot/agent/models'
import { anyTool, leaveOut, MAX_TOOLS, namedTool, readFunction } from '../offered-tool.ts'

/**
 * Tools that Anthropic runs itself, or whose schemas only its models were trained on. Their types
 * end in a date.
 */
const ANTHROPIC_TOOLS = {
  dropped: ['web_search', 'web_fetch', 'tool_search', 'tool_search_tool'],
  refused: [
    'bash',
    'text_editor',
    'computer',
    'code_execution',
    'memory',
    'mcp_toolset',
    'advisor',
  ],
}

/** A request that is being parsed. */
export interface MessagesDraft extends RequestDraft {
  system: readonly ConversationItem[]
  /** True if the client wants to see the model's reasoning. */
  showsThinking: boolean
}

/** Every parameter of Messages, and its treatment. The documentation shows this table. */
export const messagesParameters: readonly Parameter<MessagesDraft>[] = [
  {
    name: 'thread',
    treatment: 'refuse',
    note: 'the error makes Anthropic’s SDK send the whole conversation instead',
    read() {
      const message = 'The gateway keeps no threads: send the whole conversation.'
      throw new GatewayError(400, 'thread_unsupported_request', message, {
        parameter: 'thread',
        summary: message,
      })
    },
  },
  modelParameter,
  {
    name: 'system',
    treatment: 'emulate',
    note: 'added at the beginning of the prompt. Claude Code’s `x-anthropic-billing-header` is dropped',
    read(value, draft) {
      draft.system = readSystem(value, draft.notes)
    },
  },
  {
    name: 'messages',
    treatment: 'emulate',
    note: 'printed in the model’s protocol; later system messages are merged. Images are passed on if the model accepts them; otherwise images in results are omitted with a note to the model. Thinking is omitted; documents are refused unless they are text',
    read(value, draft) {
      draft.conversation = readMessages(value)
    },
  },
  {
    name: 'tools',
    treatment: 'emulate',
    note: `${TOOLS_NOTE} \`web_search\`, \`web_fetch\` and \`tool_search\` are dropped; \`bash\`, \`text_editor\`, \`computer\`, \`code_execution\`, \`memory\` and \`mcp_toolset\` are refused`,
    read(value, draft) {
      draft.tools = readTools(value, draft.notes)
    },
  },
  {
    name: 'tool_choice',
    treatment: 'emulate',
    note: `for \`any\` and a named tool, ${CHOICE_NOTE}. With \`disable_parallel_tool_use\`, the gateway stops parsing after the first call`,
    read(value, draft) {
      const choice = expectObject('tool_choice', value)
      draft.options.toolChoice = readToolChoice(choice, draft.tools)
      const single = choice['disable_parallel_tool_use']
      if (single !== undefined && expectFlag('tool_choice.disable_parallel_tool_use', single))
        draft.options.stopAtFirstCall = true
    },
  },
  streamParameter,
  {
    name: 'thinking',
    treatment: 'emulate',
    note: 'unless it is `disabled`, reasoning is returned in `thinking` blocks. The budget is ignored',
    read(value, draft) {
      const type = expectText('thinking.type', expectObject('thinking', value)['type'])
      draft.showsThinking = type !== 'disabled'
    },
  },
  extensionParameter,
  lengthParameter('max_tokens'),
  temperatureParameter,
  topPParameter,
  ...samplingParameters('top_k'),
  stopParameter('stop_sequences'),
  {
    name: 'output_format',
    treatment: 'pass',
    note: FORMAT_NOTE,
    read(value, draft) {
      requireJson(draft, 'output_format', expectObject('output_format', value))
    },
  },
  {
    name: 'output_config',
    treatment: 'pass',
    note: '`format` is treated like `output_format`; `effort` is ignored',
    read(value, draft) {
      const { format } = expectObject('output_config', value)
      if (format !== undefined && format !== null)
        requireJson(draft, 'output_config', expectObject('output_config.format', format))
    },
  },
  ...ignored(
    'metadata',
    'service_tier',
    'context_management',
    'cache_control',
    'inference_geo',
    'betas',
    'speed',
  ),
  refusedParameter('mcp_servers', 'MCP servers', 'connect them where your client runs'),
  refusedParameter('container', 'containers', 'leave it out'),
]

/** Reads the tools of a request. Omitted tools are noted. */
function readTools(value: unknown, notes: string[]): readonly RequestedTool[] {
  return expectList('tools', value, MAX_TOOLS).flatMap((each, at): RequestedTool[] => {
    const where = `tools[${at}]`
    const tool = expectObject(where, each)
    const { type } = tool
    if (type === undefined || type === null || type === 'custom')
      return [readFunction(where, tool, 'input_schema')]
    return [...leaveOut(where, type, ANTHROPIC_TOOLS, { expected: 'custom', notes })]
  })
}

/** Reads the choice of a tool that must be called. */
function readToolChoice(choice: Fields, tools: readonly RequestedTool[]): ToolChoice {
  const type = expectOneOf('tool_choice.type', choice['type'], ['auto', 'none', 'any', 'tool'])
  if (type === 'auto' || type === 'none') return type
  return type === 'any' ? anyTool(tools, type) : namedTool(tools, choice['name'])
}
