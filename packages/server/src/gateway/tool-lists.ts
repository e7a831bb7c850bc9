import type { ToolDefinition } from '@toolglot/core'
import { schemaProblem } from '@toolglot/agent/internal'
import { GatewayError } from './gateway-error.ts'
import type { RequestedTool } from './request.ts'

/**
 * Remembers lists of tools that were checked: clients send the same ones with every request. The same list is the same object,
 * so that what is derived from it, such as its description for a protocol, is remembered too.
 */
export class ToolLists {
  readonly #lists = new Map<string, readonly ToolDefinition[]>()

  /** The definitions of the tools. Throws a GatewayError if one is invalid. */
  definitions(tools: readonly RequestedTool[]): readonly ToolDefinition[] {
    const key = JSON.stringify(tools.map(({ definition }) => definition))
    const known = this.#lists.get(key)
    // The one that was used last is forgotten last.
    if (known) this.#lists.delete(key)
    const list = known ?? checked(tools)
    this.#lists.set(key, list)
    const [oldest] = this.#lists.keys()
    if (this.#lists.size > MAX_LISTS) this.#lists.delete(oldest!)
    return list
  }
}

const MAX_LISTS = 64

function checked(tools: readonly RequestedTool[]): readonly ToolDefinition[] {
  return tools.map(({ definition }, at) => {
    const { parameters, name } = definition
    const problem = parameters && schemaProblem(parameters)
    if (problem !== undefined) {
      const parameter = `tools[${at}].function.parameters`
      const message = `Expected the parameters of the tool ${JSON.stringify(name)} to be a JSON Schema. ${problem}`
      throw new GatewayError(400, 'invalid_schema', message, { parameter })
    }
    return definition
  })
}
