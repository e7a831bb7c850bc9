import type { ToolChoice } from '@toolglot/agent/models'
import type { RequestDraft, Parameter } from './parameter.ts'
import { expectObject, expectOneOf, type Fields, refused } from './expect.ts'
import { anyTool, type BuiltInTools } from './offered-tool.ts'
import type { RequestedTool } from './request.ts'
import { CHOICE_NOTE, requireJson, TOOLS_NOTE } from './shared-parameters.ts'
import type { ApiError } from './api.ts'

// Parameters that chat completions and Responses share.

/** The treatment of tools. `more` describes the tools supported by only one of the two. */
export function openAiToolsNote(more = ''): string {
  return `${TOOLS_NOTE} \`custom\` tools get one argument, \`input\`${more}. \`web_search\` and \`tool_search\` are dropped; \`local_shell\`, \`computer_use_preview\` and \`mcp\` are refused`
}

/** The choice of a tool that must be called. `named` reads a choice by name. */
export function toolChoiceParameter(
  named: (choice: Fields, tools: readonly RequestedTool[]) => ToolChoice,
): Parameter<RequestDraft> {
  return {
    name: 'tool_choice',
    treatment: 'emulate',
    note: `for \`required\` and a named tool, ${CHOICE_NOTE}`,
    read(value, draft) {
      const { tools, options } = draft
      if (value === 'auto' || value === 'none') options.toolChoice = value
      else if (value === 'required') options.toolChoice = anyTool(tools, value)
      else options.toolChoice = named(choiceOf(value), tools)
    },
  }
}

function choiceOf(value: unknown): Fields {
  const choice = expectObject('tool_choice', value)
  if (choice['type'] === 'allowed_tools')
    throw refused('tool_choice', 'allowed_tools', 'send only the allowed tools')
  return choice
}

/** Reads the reply format. `schemaOf` returns its schema and name. */
export function readFormat(
  where: string,
  value: unknown,
  draft: RequestDraft,
  schemaOf: (format: Fields) => Fields,
): void {
  const format = expectObject(where, value)
  const type = expectOneOf(`${where}.type`, format['type'], ['text', 'json_object', 'json_schema'])
  if (type === 'text') return
  requireJson(draft, where, type === 'json_schema' ? schemaOf(format) : {})
}

/** Parameters that can be ignored without a visible effect. */
export const OPEN_AI_IGNORED: readonly string[] = [
  'metadata',
  'user',
  'safety_identifier',
  'prompt_cache_key',
  'prompt_cache_retention',
  'service_tier',
  'reasoning',
]

/** Parameters of sampling. */
export const OPEN_AI_SAMPLING: readonly string[] = [
  'top_k',
  'min_p',
  'presence_penalty',
  'frequency_penalty',
]

/** Tools that OpenAI runs itself. */
export const OPEN_AI_TOOLS: BuiltInTools = {
  dropped: ['web_search', 'tool_search'],
  refused: [
    'local_shell',
    'shell',
    'computer',
    'mcp',
    'code_interpreter',
    'file_search',
    'image_generation',
    'apply_patch',
  ],
}

/** An error in OpenAI's format. */
export function openAiError({ status, code, message, parameter }: ApiError): object {
  return { error: { message, type: typeOf(status), param: parameter ?? null, code } }
}

function typeOf(status: number): string {
  if (status === 401) return 'authentication_error'
  if (status === 403) return 'permission_error'
  if (status === 429) return 'rate_limit_error'
  return status < 500 ? 'invalid_request_error' : 'server_error'
}
