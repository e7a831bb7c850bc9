import { BoundedMap, checkToolName, schemaProblem } from '@toolglot/agent/adapter/internal'
import type { ToolDefinition } from '@toolglot/core'
import { GatewayError } from './gateway-error.ts'
import type { RequestedTool } from './request.ts'

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
        `Expected one tool ${quoted}, got two.`,
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
