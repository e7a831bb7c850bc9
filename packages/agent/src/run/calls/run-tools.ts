import type { ToolDefinition } from '@toolglot/core'
import type { Permissions } from '@toolglot/permissions'
import { toExecuteOptions } from '../../registry/execute-options.ts'
import type { Registry } from '../../registry/registry.ts'
import { readMoreTool } from './read-more.ts'
import type { ExecuteOptions } from '../../tool/execute.ts'
import { jsonSchemaOf } from '../../tool/json-schema.ts'
import type { Tool } from '../../tool/tool.ts'

/** The tools of a run: those of the registry, and one that shows more of a result, once a result was cut. */
export class RunTools {
  readonly #registry: Registry
  readonly #more: Tool
  readonly #definition: ToolDefinition
  #isCut = false
  #lists = new WeakMap<readonly ToolDefinition[], readonly ToolDefinition[]>()

  constructor(registry: Registry, find: (call: string) => string | undefined) {
    this.#registry = registry
    this.#more = readMoreTool(find)
    const { name, description, parameters } = this.#more
    this.#definition = { name, description, parameters: jsonSchemaOf(parameters) }
  }

  /** A result was cut: from now on the model can ask for more of it. */
  offerReadMore(): void {
    this.#isCut = this.#registry.find(this.#more.name) === undefined
  }

  find(name: string): Tool | undefined {
    return this.#isCut && name === this.#more.name ? this.#more : this.#registry.find(name)
  }

  /** What the model is told. */
  definitions(): readonly ToolDefinition[] {
    return this.#with(this.#registry.definitions())
  }

  /** What a parser is to know. */
  known(): readonly ToolDefinition[] {
    return this.#with(this.#registry.known())
  }

  executeOptions(
    given: Permissions,
  ): Pick<ExecuteOptions, 'tools' | 'permissions' | 'middleware' | 'presets'> {
    const all = toExecuteOptions(this.#registry, given)
    if (!this.#isCut) return all
    const { name, access } = this.#more
    const { tools, permissions } = all
    return {
      ...all,
      tools: new Map([...tools, [name, this.#more]]),
      permissions: {
        ...permissions,
        tools: new Map([...(permissions.tools ?? []), [name, access]]),
      },
    }
  }

  /** The same list for the same list, so that what is made of it is made once. */
  #with(list: readonly ToolDefinition[]): readonly ToolDefinition[] {
    if (!this.#isCut) return list
    let longer = this.#lists.get(list)
    if (!longer) this.#lists.set(list, (longer = [...list, this.#definition]))
    return longer
  }
}
