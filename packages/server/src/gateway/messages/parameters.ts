import { isObject } from '@toolglot/agent/internal'
import type { RequestDraft } from '../draft.ts'
import { expectFlag, expectObject, expectText } from '../expect.ts'
import { GatewayError } from '../gateway-error.ts'
import type { Parameter } from '../parameter.ts'
import {
  extensionParameter,
  ignored,
  lengthParameter,
  modelParameter,
  refusedParameter,
  samplingParameters,
  stopParameter,
  streamParameter,
  temperatureParameter,
  topPParameter,
} from '../shared-parameters.ts'
import type { ConversationItem } from '../request.ts'
import { readMessages, readSystem } from './read-messages.ts'
import { readToolChoice, readTools } from './read-tools.ts'

/** A request while it is read. */
export interface MessagesDraft extends RequestDraft {
  system: readonly ConversationItem[]
  /** Whether the client wants to see the model's reasoning. */
  showsThinking: boolean
}

/** Every parameter of Messages, and what becomes of it. The documentation shows this table. */
export const messagesParameters: readonly Parameter<MessagesDraft>[] = [
  {
    name: 'thread',
    treatment: 'refuse',
    note: 'with the code that makes Anthropic’s SDK send the whole conversation instead',
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
    note: 'drawn in front. Claude Code’s `x-anthropic-billing-header` is dropped',
    read(value, draft) {
      draft.system = readSystem(value, draft.notes)
    },
  },
  {
    name: 'messages',
    treatment: 'emulate',
    note: 'drawn in the model’s protocol: results as the model knows them, later system messages folded. Images are passed where the model takes them; images in results are otherwise left out, and the model is told. Thinking is left out, documents are refused unless they are text',
    read(value, draft) {
      draft.conversation = readMessages(value)
    },
  },
  {
    name: 'tools',
    treatment: 'emulate',
    note: 'described in the prompt, or passed to native function calling. `strict: true` is checked, except for `pattern` and `format`. `web_search`, `web_fetch` and `tool_search` are dropped; `bash`, `text_editor`, `computer`, `code_execution`, `memory` and `mcp_toolset` are refused',
    read(value, draft) {
      draft.tools = readTools(value, draft.notes)
    },
  },
  {
    name: 'tool_choice',
    treatment: 'emulate',
    note: '`any` and a named tool: the reply is begun for the model if it allows that, else it is asked once more, else the request fails. `disable_parallel_tool_use`: reading stops after the first call',
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
    note: 'unless it is `disabled`, reasoning comes as `thinking` blocks. The budget is ignored',
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
    note: 'dropped if tools are offered, because it would rule out calls that are text',
    read(value, draft) {
      readFormat(value, draft, 'output_format')
    },
  },
  {
    name: 'output_config',
    treatment: 'pass',
    note: 'its `format` like `output_format`; `effort` is ignored',
    read(value, draft) {
      const { format } = expectObject('output_config', value)
      if (format !== undefined && format !== null) readFormat(format, draft, 'output_config')
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

function readFormat(value: unknown, draft: MessagesDraft, name: string): void {
  const { schema } = expectObject(name, value)
  if (draft.tools.length > 0) draft.notes.push(`dropped:${name}`)
  else draft.options.responseFormat = { type: 'json', ...(isObject(schema) && { schema }) }
}
