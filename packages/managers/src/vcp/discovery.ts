import { checkConfig } from '@toolglot/agent/internal'
import { CoreToolCallingProtocol, resolveProtocol } from './protocol.ts'
import {
  methodsOf,
  toolRegistryManager,
  type MethodMetadata,
  type ToolCallConfig,
  type ToolDefinitionInput,
} from './registry.ts'

/** The recipient of a prompt. */
export interface PromptOptions {
  readonly config: ToolCallConfig
  readonly agentId?: string | undefined
}

/** Finds and describes the methods in `toolRegistryManager` that a model can call. */
export class ToolDiscoveryService {
  /** Prompts, cached by protocol and the other inputs. */
  #prompts = new WeakMap<object, Map<string, string>>()

  /** The tools and their methods. Default filter: those that a model can call. */
  getDiscoveredMethods(
    filter: (method: MethodMetadata) => boolean = isAgentCallable,
  ): ToolDefinitionInput[] {
    return toolRegistryManager
      .getAllTools()
      .map((tool) => ({
        toolId: tool.id,
        toolName: tool.name ?? tool.id,
        methods: methodsOf(tool).filter(filter),
      }))
      .filter(({ methods }) => methods.length > 0)
  }

  /**
   * The prompt that describes the enabled tools. Cached until the configuration or the list of
   * tools changes.
   */
  generatePrompt({ config, agentId = '' }: PromptOptions): string {
    checkToolCallConfig(config)
    if (!hasToolCallingEnabled(config)) return ''
    const { protocol: given, ...settings } = config
    const protocol = resolveProtocol(given)
    const owner = protocol instanceof CoreToolCallingProtocol ? protocol.protocol : protocol
    let prompts = this.#prompts.get(owner)
    if (!prompts || prompts.size >= MAX_PROMPTS) this.#prompts.set(owner, (prompts = new Map()))
    const key = JSON.stringify([agentId, settings, toolRegistryManager.revision])
    const enabled = (): ToolDefinitionInput[] =>
      this.getDiscoveredMethods().filter(({ toolId }) => resolveToolEnabled(toolId, config))
    const prompt = prompts.get(key) ?? protocol.generateToolDefinitions(enabled())
    prompts.set(key, prompt)
    return prompt
  }

  /** Discards cached prompts. Needed after a tool's description of its methods has changed. */
  invalidateCache(): void {
    this.#prompts = new WeakMap()
  }
}

/** Creates a service that finds the methods of the tools in `toolRegistryManager`. */
export function createToolDiscoveryService(): ToolDiscoveryService {
  return new ToolDiscoveryService()
}

const MAX_PROMPTS = 100

/**
 * Throws a TypeError if a field is unknown or has the wrong type, because a misspelled safety
 * setting would have no effect.
 */
export function checkToolCallConfig(given: ToolCallConfig): void {
  const { protocol: _, ...config } = given
  for (const field of ['tools', 'presets'])
    if (field in config)
      throw new TypeError(`Unknown key ${field} in the tool configuration. Use toolToggles.`)
  checkConfig(config)
}

/** True if tools are enabled. */
export function hasToolCallingEnabled(config: ToolCallConfig | undefined): boolean {
  return config?.enabled === true
}

/** True if a tool is enabled: by its own toggle, or else by the default, which is on. */
export function resolveToolEnabled(
  toolId: string,
  { toolToggles = {}, defaultToolEnabled = true }: ToolCallConfig,
): boolean {
  return Object.hasOwn(toolToggles, toolId) ? toolToggles[toolId] === true : defaultToolEnabled
}

function isAgentCallable({ agentCallable }: MethodMetadata): boolean {
  return agentCallable === true
}
