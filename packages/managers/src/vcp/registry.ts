import { alreadyExists, mustBe } from '@toolglot/permissions/errors/internal'
import type {
  DescribedInstance,
  Method,
  ToolCallConfig as RegistryConfig,
} from '@toolglot/agent/registry'
import type { Call, Protocol } from '@toolglot/core'
import { describeThrown } from '@toolglot/agent/internal'

/** The configuration for calling tools. */
export interface ToolCallConfig extends Writable<
  Omit<RegistryConfig, 'protocol' | 'tools' | 'presets' | 'toolToggles'>
> {
  /** Enables or disables tools by id. */
  toolToggles?: Record<string, boolean> | undefined
  /** A protocol or its id. Default: VCP. */
  protocol?: ToolCallingProtocol | Protocol | string | undefined
}

type Writable<Fields> = { -readonly [Name in keyof Fields]: Fields[Name] }

/** A method of a tool. A model can call it only if `agentCallable` is true. */
export type MethodMetadata = Method

/**
 * A tool whose methods a model can call, if `getMetadata` describes them. Each receives its
 * arguments as strings.
 */
export interface ToolRegistry extends Partial<DescribedInstance> {
  readonly id: string
  readonly description?: string
}

/** A call read from a reply. */
export interface ParsedToolRequest {
  /** The id from the model, or a generated one. */
  requestId: string
  /** `toolId_methodName`, or empty if the call could not be read. */
  toolName: string
  /** The call's text, exactly as the model wrote it. */
  rawBlock: string
  args: Record<string, string>
  /**
   * The parsed call. Its form determines whether it needs confirmation, so copies of a request need
   * this field too.
   */
  call?: Call
  /** The reason why the call could not be read. */
  problem?: string
}

/** The result of a call. */
export interface ToolExecutionResult {
  requestId: string
  toolName: string
  status: 'success' | 'error'
  /** The method's return value, or the reason why it failed. */
  result: string
  durationMs: number
}

/** The result of processing a reply. */
export interface ToolCallCycleResult {
  parsedRequests: ParsedToolRequest[]
  executionResults: ToolExecutionResult[]
  hasToolRequests: boolean
}

/** A tool, with the methods that a model can call. */
export interface ToolDefinitionInput {
  toolId: string
  toolName: string
  methods: MethodMetadata[]
}

/** The format of tools, calls and results. */
export interface ToolCallingProtocol {
  readonly id: string
  generateToolDefinitions(input: ToolDefinitionInput[]): string
  parseToolRequests(finalText: string): ParsedToolRequest[]
  formatToolResults(results: ToolExecutionResult[]): string
}

/** Called before a call that needs confirmation. Return false to refuse it. */
export type OnBeforeExecute = (request: ParsedToolRequest) => boolean | Promise<boolean>

/** Stores tools by id. */
export class ToolRegistryManager {
  readonly #tools = new Map<string, ToolRegistry>()
  #revision = 0

  /** Increases with every change. */
  get revision(): number {
    return this.#revision
  }

  /** Adds a tool. Throws if its id is already in use. */
  register<Each extends ToolRegistry>(tool: Each): void {
    if (typeof tool?.id !== 'string' || tool.id === '')
      throw new TypeError(mustBe('the id of a tool', 'a non-empty string', tool?.id ?? tool))
    if (this.#tools.has(tool.id)) throw new TypeError(alreadyExists('tool', tool.id))
    this.#tools.set(tool.id, tool)
    this.#revision++
  }

  /** Removes a tool. Returns true if it existed. */
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
