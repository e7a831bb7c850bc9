import { isObject } from '@toolglot/agent/internal'
import type { ToolChoice } from '@toolglot/agent/models'
import { expectObject, expectText, type Fields, invalid, refused } from './expect.ts'
import { droppedNote } from './parameter.ts'
import type { RequestedTool } from './request.ts'
import { BoundedMap, checkToolName, schemaProblem } from '@toolglot/agent/adapter/internal'
import type { ToolDefinition } from '@toolglot/core'
import { GatewayError } from './gateway-error.ts'

/** Reads a tool. `schema` is the name of the field with its parameters. */
export function readFunction(where: string, tool: Fields, schema: string): RequestedTool {
  const { name, strict } = tool
  const parameters = tool[schema]
  return {
    where,
    strict: strict === true ? strict : undefined,
    definition: {
      name: expectText(`${where}.name`, name),
      ...descriptionOf(where, tool),
      ...(isGiven(parameters) && {
        parameters: expectObject(`${where}.${schema}`, parameters),
      }),
    },
  }
}

/**
 * Reads a custom tool, whose input is text. Its grammar is shown to the model, since it can't be
 * enforced.
 */
export function readCustom(where: string, tool: Fields): RequestedTool {
  return {
    where,
    custom: true,
    strict: true,
    definition: {
      name: expectText(`${where}.name`, tool['name']),
      ...descriptionOf(where, tool),
      parameters: {
        type: 'object',
        properties: {
          input: {
            type: 'string',
            description: `The input of the tool, as plain text.${grammarOf(tool['format'])}`,
          },
        },
        required: ['input'],
      },
    },
  }
}

function descriptionOf(where: string, { description }: Fields): { readonly description?: string } {
  if (!isGiven(description)) return {}
  return { description: expectText(`${where}.description`, description) }
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

/** The names of the tools whose input is text. */
export function customNames(tools: readonly RequestedTool[]): ReadonlySet<string> {
  return new Set(tools.flatMap(({ custom, definition }) => (custom ? [definition.name] : [])))
}

/** The tools that a provider runs itself, by the start of their types. */
export interface BuiltInTools {
  /** Tools that are not essential to clients: they are omitted, and noted. */
  readonly dropped: readonly string[]
  /** Tools that are essential to clients. */
  readonly refused: readonly string[]
}

/**
 * Omits and notes a tool that only a provider can run, or throws. `expected` lists the supported
 * types.
 */
export function leaveOut(
  where: string,
  type: unknown,
  { dropped, refused: relied }: BuiltInTools,
  { expected, notes }: { readonly expected: string; readonly notes: string[] },
): readonly RequestedTool[] {
  if (typeof type !== 'string') throw invalid(`${where}.type`, expected, type)
  const is = (start: string): boolean => type === start || type.startsWith(`${start}_`)
  if (dropped.some(is)) {
    notes.push(droppedNote(type))
    return []
  }
  const known = relied.find(is)
  if (known !== undefined)
    throw refused(`${where}.type`, `tools of the type ${known}`, 'offer a function instead')
  throw invalid(`${where}.type`, expected, type)
}

/** The choice of any tool. */
export function anyTool(tools: readonly RequestedTool[], value: unknown): ToolChoice {
  if (tools.length === 0)
    throw invalid('tool_choice', 'auto or none in a request without tools', value)
  return 'required'
}

/** The choice of a tool by its name. */
export function namedTool(tools: readonly RequestedTool[], name: unknown): ToolChoice {
  if (typeof name !== 'string') throw invalid('tool_choice', 'the name of a tool', name)
  if (tools.every(({ definition }) => definition.name !== name))
    throw invalid('tool_choice', `one of the tools in the request`, name)
  return { name }
}

/** The maximum number of tools in a request. */
export const MAX_TOOLS = 1000

/**
 * Caches checked lists of tools, because clients send the same lists with every request. An
 * identical list returns the same object, so that derived values, such as its description for a
 * protocol, are also cached.
 */
export class ToolLists {
  readonly #lists: BoundedMap<readonly ToolDefinition[]>

  constructor(maxCharacters: number) {
    this.#lists = new BoundedMap(maxCharacters)
  }

  /** The definitions of the tools. Throws a GatewayError if a tool is invalid. */
  definitions(tools: readonly RequestedTool[]): readonly ToolDefinition[] {
    const key = JSON.stringify(tools.map(({ definition }) => definition))
    const list = this.#lists.get(key) ?? checked(tools)
    // Added last, so the least recently used list is evicted first.
    this.#lists.set(key, list, key.length)
    return list
  }
}

/** The maximum for all tools of a request, so that parsing them doesn't block other requests. */
const MAX_SCHEMAS = 10_000

function checked(tools: readonly RequestedTool[]): readonly ToolDefinition[] {
  const names = new Set<string>()
  const budget = { schemas: MAX_SCHEMAS }
  return tools.map(({ definition, where }) => {
    const { parameters, name } = definition
    const invalid = (code: string, message: string, member: string, must: string): GatewayError => {
      const parameter = `${where}.${member}`
      return new GatewayError(400, code, message, {
        parameter,
        summary: `${parameter} must be ${must}.`,
      })
    }
    try {
      checkToolName(name)
    } catch (error) {
      throw invalid('invalid_request', (error as TypeError).message, 'name', 'a valid name')
    }
    const quoted = JSON.stringify(name)
    if (names.has(name))
      throw invalid(
        'invalid_request',
        `Several tools are named ${quoted}. Give each its own name.`,
        'name',
        'different for each tool',
      )
    names.add(name)
    const problem = parameters && schemaProblem(parameters, budget)
    if (problem === undefined) return definition
    const message = `The parameters of the tool ${quoted} must be a JSON Schema. ${problem}`
    throw invalid('invalid_schema', message, 'parameters', 'a JSON Schema')
  })
}
