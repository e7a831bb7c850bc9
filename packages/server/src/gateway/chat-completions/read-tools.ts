import { isObject } from '@toolglot/agent/internal'
import type { ToolDefinition } from '@toolglot/core'
import type { ToolChoice } from '@toolglot/agent/models'
import { expectList, expectObject, expectText, type Fields, invalid, refused } from '../expect.ts'
import type { RequestedTool } from '../request.ts'

/** Reads the tools of a chat completion. `dropped` are the types of those that are left out. */
export function readTools(value: unknown): {
  readonly tools: readonly RequestedTool[]
  readonly dropped: readonly string[]
} {
  const tools: RequestedTool[] = []
  const dropped: string[] = []
  for (const [at, each] of expectList('tools', value, MAX_TOOLS).entries()) {
    const where = `tools[${at}]`
    const tool = expectObject(where, each)
    const { type } = tool
    if (type === 'function') tools.push(readFunction(`${where}.function`, tool['function']))
    else if (type === 'custom') tools.push(readCustom(`${where}.custom`, tool['custom']))
    else if (typeof type === 'string' && DROPPED.has(type)) dropped.push(type)
    else if (typeof type === 'string' && REFUSED.has(type))
      throw refused(`${where}.type`, `tools of the type ${type}`, 'offer a function instead')
    else throw invalid(`${where}.type`, 'function or custom', type)
  }
  return { tools, dropped }
}

const MAX_TOOLS = 1000

/** Tools that a provider runs itself, and that a client can do without. */
const DROPPED: ReadonlySet<string> = new Set(['web_search', 'web_search_preview', 'tool_search'])

/** Tools that a client relies on. */
const REFUSED: ReadonlySet<string> = new Set([
  'local_shell',
  'computer_use_preview',
  'computer',
  'mcp',
  'code_interpreter',
  'file_search',
  'image_generation',
])

function readFunction(where: string, value: unknown): RequestedTool {
  const { name, description, parameters, strict } = expectObject(where, value)
  const definition: ToolDefinition = {
    name: expectText(`${where}.name`, name),
    ...(isGiven(description) && {
      description: expectText(`${where}.description`, description),
    }),
    ...(isGiven(parameters) && {
      parameters: expectObject(`${where}.parameters`, parameters),
    }),
  }
  return { definition, where, ...(strict === true && { strict }) }
}

/** A custom tool takes a text. A grammar for it is shown to the model, since nothing enforces it. */
function readCustom(where: string, value: unknown): RequestedTool {
  const { name, description, format } = expectObject(where, value)
  const grammar = grammarOf(format)
  return {
    where,
    custom: true,
    strict: true,
    definition: {
      name: expectText(`${where}.name`, name),
      ...(isGiven(description) && {
        description: expectText(`${where}.description`, description),
      }),
      parameters: {
        type: 'object',
        properties: {
          input: {
            type: 'string',
            description: `The input of the tool, as plain text.${grammar}`,
          },
        },
        required: ['input'],
      },
    },
  }
}

function grammarOf(format: unknown): string {
  if (!isObject(format) || format['type'] !== 'grammar') return ''
  const nested: Fields = isObject(format['grammar']) ? format['grammar'] : format
  const { definition, syntax } = nested
  if (typeof definition !== 'string') return ''
  return ` It must match this ${typeof syntax === 'string' ? `${syntax} ` : ''}grammar:\n${definition}`
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null
}

/** Reads which tool must be called. */
export function readToolChoice(value: unknown, tools: readonly RequestedTool[]): ToolChoice {
  if (value === 'auto' || value === 'none') return value
  if (value === 'required') {
    if (tools.length === 0) throw invalid('tool_choice', 'auto or none, without tools', value)
    return value
  }
  const { type, function: named, custom } = expectObject('tool_choice', value)
  if (type === 'allowed_tools')
    throw refused('tool_choice', 'allowed_tools', 'send only the tools that may be called')
  const choice = type === 'custom' ? custom : named
  if (!isObject(choice) || typeof choice['name'] !== 'string')
    throw invalid('tool_choice', 'auto, none, required or a function by its name', value)
  const { name } = choice
  if (tools.every(({ definition }) => definition.name !== name))
    throw invalid('tool_choice', `one of the tools in the request`, name)
  return { name }
}
