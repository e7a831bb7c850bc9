import type {
  DescribedInstance,
  Method,
  ToolCallConfig as RegistryConfig,
} from '@toolglot/agent/registry'
import type { Call, Protocol } from '@toolglot/core'
import { describeThrown } from '@toolglot/agent/internal'

/** How tools are called. */
export interface ToolCallConfig extends Writable<
  Omit<RegistryConfig, 'protocol' | 'tools' | 'presets' | 'toolToggles'>
> {
  /** Whether a tool is enabled, by its id. */
  toolToggles?: Record<string, boolean> | undefined
  /** The id of a protocol, or one. Default: VCP. */
  protocol?: ToolCallingProtocol | Protocol | string | undefined
}

type Writable<Fields> = { -readonly [Name in keyof Fields]: Fields[Name] }

/** A method of a tool. A model can call it only if `agentCallable` is true. */
export type MethodMetadata = Method

/** A tool whose methods a model can call, if `getMetadata` describes them. Each gets its arguments as strings. */
export interface ToolRegistry extends Partial<DescribedInstance> {
  readonly id: string
  readonly description?: string
}

/** A call that was read from a reply. */
export interface ParsedToolRequest {
  /** The id that the model gave it, or a new one. */
  requestId: string
  /** `toolId_methodName`; empty if the call could not be read. */
  toolName: string
  /** Its text, exactly as the model wrote it. */
  rawBlock: string
  args: Record<string, string>
  /** How it was written. That decides whether it needs confirmation, so copies of a request need it, too. */
  call?: Call
  /** Why it could not be read. */
  problem?: string
}

/** How a call ended. */
export interface ToolExecutionResult {
  requestId: string
  toolName: string
  status: 'success' | 'error'
  /** The method's return value, or the reason of its failure. */
  result: string
  durationMs: number
}

/** How a reply was processed. */
export interface ToolCallCycleResult {
  parsedRequests: ParsedToolRequest[]
  executionResults: ToolExecutionResult[]
  hasToolRequests: boolean
}

/** A tool and those of its methods that a model is told about. */
export interface ToolDefinitionInput {
  toolId: string
  toolName: string
  methods: MethodMetadata[]
}

/** How tools, calls and results are written. */
export interface ToolCallingProtocol {
  readonly id: string
  generateToolDefinitions(input: ToolDefinitionInput[]): string
  parseToolRequests(finalText: string): ParsedToolRequest[]
  formatToolResults(results: ToolExecutionResult[]): string
}

/** Asked before a call that needs confirmation; false refuses it. */
export type OnBeforeExecute = (request: ParsedToolRequest) => boolean | Promise<boolean>

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
