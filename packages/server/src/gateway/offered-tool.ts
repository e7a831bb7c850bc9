import { isObject } from '@toolglot/agent/internal'
import type { ToolChoice } from '@toolglot/agent/models'
import { expectObject, expectText, type Fields, invalid, refused } from './expect.ts'
import { droppedNote } from './parameter.ts'
import type { RequestedTool } from './request.ts'
import { BoundedMap, checkToolName, schemaProblem } from '@toolglot/agent/adapter/internal'
import type { ToolDefinition } from '@toolglot/core'
import { GatewayError } from './gateway-error.ts'

/** Reads a tool. `schema` is the field with the schema of its arguments. */
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

/** Reads a custom tool, which takes a text. A grammar for it is shown to the model, since nothing enforces it. */
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

/** The names of the tools whose input is a text. */
export function customNames(tools: readonly RequestedTool[]): ReadonlySet<string> {
  return new Set(tools.flatMap(({ custom, definition }) => (custom ? [definition.name] : [])))
}

/** The tools in a request that a provider runs itself, by the start of their types. */
export interface BuiltInTools {
  /** A client can do without them: they are left out, and noted. */
  readonly dropped: readonly string[]
  /** A client relies on them. */
  readonly refused: readonly string[]
}

/** Leaves out a tool that a provider would run, and notes it; or throws. `expected` are the types that are read. */
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
  if (tools.length === 0) throw invalid('tool_choice', 'auto or none, without tools', value)
  return 'required'
}

/** The choice of a tool by its name. */
export function namedTool(tools: readonly RequestedTool[], name: unknown): ToolChoice {
  if (typeof name !== 'string') throw invalid('tool_choice', 'a tool by its name', name)
  if (tools.every(({ definition }) => definition.name !== name))
    throw invalid('tool_choice', `one of the tools in the request`, name)
  return { name }
}

/** How many tools a request may have. */
export const MAX_TOOLS = 1000

/**
 * Remembers lists of tools that were checked: clients send the same ones with every request. The same list is the same object,
 * so that what is derived from it, such as its description for a protocol, is remembered too.
 */
export class ToolLists {
  readonly #lists: BoundedMap<readonly ToolDefinition[]>

  constructor(maxCharacters: number) {
    this.#lists = new BoundedMap(maxCharacters)
  }

  /** The definitions of the tools. Throws a GatewayError if one is invalid. */
  definitions(tools: readonly RequestedTool[]): readonly ToolDefinition[] {
    const key = JSON.stringify(tools.map(({ definition }) => definition))
    const list = this.#lists.get(key) ?? checked(tools)
    // The list that was used last is forgotten last.
    this.#lists.set(key, list, key.length)
    return list
  }
}

/** In all tools of a request, which must not keep others waiting. */
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
        summary: `Expected ${parameter} to be ${must}.`,
      })
    }
    try {
      checkToolName(name)
    } catch (error) {
      throw invalid('invalid_request', (error as TypeError).message, 'name', 'a name of a tool')
    }
    const quoted = JSON.stringify(name)
    if (names.has(name))
      throw invalid(
        'invalid_request',
        `Two tools are named ${quoted}.`,
        'name',
        'the name of one tool only',
      )
    names.add(name)
    const problem = parameters && schemaProblem(parameters, budget)
    if (problem === undefined) return definition
    const message = `Expected the parameters of the tool ${quoted} to be a JSON Schema. ${problem}`
    throw invalid('invalid_schema', message, 'parameters', 'a JSON Schema')
  })
}
