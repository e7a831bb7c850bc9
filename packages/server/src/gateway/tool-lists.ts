import { checkToolName, schemaProblem } from '@toolglot/agent/internal'
import type { ToolDefinition } from '@toolglot/core'
import { BoundedMap } from '../anywhere/bounded-map.ts'
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

function checked(tools: readonly RequestedTool[]): readonly ToolDefinition[] {
  const names = new Set<string>()
  return tools.map(({ definition, where }) => {
    const { parameters, name } = definition
    const invalid = (code: string, message: string, parameter: string): GatewayError =>
      new GatewayError(400, code, message, { parameter: `${where}.${parameter}` })
    try {
      checkToolName(name)
    } catch (error) {
      throw invalid('invalid_request', (error as TypeError).message, 'name')
    }
    const quoted = JSON.stringify(name)
    if (names.has(name))
      throw invalid('invalid_request', `Expected one tool ${quoted}, got two.`, 'name')
    names.add(name)
    const problem = parameters && schemaProblem(parameters)
    if (problem === undefined) return definition
    const message = `Expected the parameters of the tool ${quoted} to be a JSON Schema. ${problem}`
    throw invalid('invalid_schema', message, 'parameters')
  })
}
