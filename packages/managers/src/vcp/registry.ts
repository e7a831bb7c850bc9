import { describeThrown } from '@toolglot/agent/internal'
import type { MethodMetadata, ToolRegistry } from './types.ts'

/** Keeps tools by id. */
export class ToolRegistryManager {
  readonly #tools = new Map<string, ToolRegistry>()
  #revision = 0

  /** Increases with every change. */
  get revision(): number {
    return this.#revision
  }

  /** Adds a tool. Throws if its id is taken. */
  register<Each extends ToolRegistry>(tool: Each): void {
    if (typeof tool?.id !== 'string' || tool.id === '')
      throw new TypeError(`Expected a tool with an id, got ${JSON.stringify(tool?.id ?? tool)}.`)
    if (this.#tools.has(tool.id)) throw new TypeError(`There already is a tool ${tool.id}.`)
    this.#tools.set(tool.id, tool)
    this.#revision++
  }

  /** Removes a tool. Returns whether there was one. */
  unregister(id: string): boolean {
    this.#revision++
    return this.#tools.delete(id)
  }

  getTool(id: string): ToolRegistry | undefined {
    return this.#tools.get(id)
  }

  getAllTools(): ToolRegistry[] {
    return [...this.#tools.values()]
  }
}

/** The tools of this program. */
export const toolRegistryManager: ToolRegistryManager = new ToolRegistryManager()

/** The methods that a tool describes. */
export function methodsOf(tool: ToolRegistry): readonly MethodMetadata[] {
  try {
    return tool.getMetadata?.()?.methods ?? []
  } catch (error) {
    throw new Error(`getMetadata of ${tool.id} failed: ${describeThrown(error)}`, { cause: error })
  }
}
