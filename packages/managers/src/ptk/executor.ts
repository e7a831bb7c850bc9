import { mustBe } from '@toolglot/permissions/errors/internal'
import {
  checkFields,
  type FieldRules,
  isObject,
  rules,
  withoutUndefined,
} from '@toolglot/agent/internal'
import type { AnyTool } from '@toolglot/agent'
import { createRegistry, type Registry } from '@toolglot/agent/registry'
import type { IContextManager } from '../context-manager.ts'
import type { ILLMManager } from '../llm-manager.ts'
import { runCall, toFailure, agentTool, keepResult } from '../run-call.ts'
import type { IToolManager, ListedTool, ManagedCallOptions } from '../tool-manager.ts'
import { type Conversation, converse } from './converse.ts'
import {
  PTKErrorCode,
  type PTKExecuteOptions,
  type PTKExecuteResult,
  type PTKIterationResult,
  type PTKManagerConfig,
  type PTKMessage,
  type PTKTool,
  type PTKToolCall,
  type PTKToolResult,
  type PTKArguments,
} from './types.ts'

/** The defaults for missing fields of a configuration. */
const CONFIG: PTKManagerConfig = {
  defaultMaxIterations: 5,
  defaultTimeout: 30_000,
  enableLogging: true,
  retryFailedTools: true,
  maxToolRetries: 2,
}

/** Runs the loop of model and tools. */
export class PTKExecutor {
  readonly #llmManager: ILLMManager
  readonly #toolManager: IToolManager | undefined
  readonly #contextManager: Partial<IContextManager> | undefined
  readonly #config: PTKManagerConfig | undefined

  constructor(
    llmManager: ILLMManager,
    toolManager?: IToolManager,
    contextManager?: Partial<IContextManager> | object,
    config?: Partial<PTKManagerConfig>,
  ) {
    if (typeof llmManager?.call !== 'function')
      throw new TypeError('The LLM manager must be an object with call().')
    checkFields('the configuration', config ?? {}, configRules)
    this.#llmManager = llmManager
    this.#toolManager = toolManager
    this.#contextManager = contextManager
    this.#config = config && { ...CONFIG, ...withoutUndefined(config) }
  }

  /**
   * Calls the model, runs the tools it calls and sends it the results, until it answers. Failures
   * are returned as results; only invalid options throw, such as an unknown tool name. Each
   * conversation allows one execution at a time.
   */
  async execute(prompt: string, options: PTKExecuteOptions = {}): Promise<PTKExecuteResult> {
    const started = Date.now()
    if (typeof prompt !== 'string') throw new TypeError(mustBe('the prompt', 'text', prompt))
    const context = this.#contextManager
    const history = (await context?.getHistory?.()) ?? []
    const asked: PTKMessage = { role: 'user', content: prompt }
    const ended = await this.#converse([...history, asked], options)
    const { result, messages, added, iterations, toolCalls, failure } = ended
    const { text, usage } = result
    // Without a reply, the question is not stored, so that it can be asked again.
    const kept = added.length > 0 ? [asked, ...added] : []
    // Adds all messages together, so that the messages of two executions are not interleaved.
    await Promise.all(kept.map(async (message) => context?.addMessage?.(message)))
      .catch(async (error: unknown) => options.onError?.(toFailure(error, PTKErrorCode.ABORTED)))
      .catch(() => {})
    return {
      success: !failure,
      content: failure ? '' : text,
      iterations,
      messages,
      toolCalls,
      totalToolCalls: toolCalls.length,
      ...(failure && { error: failure.message, errorCode: failure.code }),
      totalTokens: usage.input + usage.output,
      ...(usage.cost !== undefined && { totalCost: usage.cost }),
      duration: Date.now() - started,
    }
  }

  /**
   * Calls the model once and runs the tools it calls. Throws if the conversation cannot continue.
   * Repeated calls are detected only within the same reply.
   */
  async executeIteration(
    messages: readonly PTKMessage[],
    options: PTKExecuteOptions = {},
  ): Promise<PTKIterationResult> {
    const ended = await this.#converse(messages, { ...options, maxIterations: 1 })
    const { result, added, toolCalls, failure } = ended
    if (failure && failure.code !== PTKErrorCode.MAX_ITERATIONS_REACHED) throw failure
    return {
      type: failure ? 'tool_call' : 'text',
      ...(!failure && { content: result.text }),
      toolCalls,
      toolResults: result.calls.map(({ outcome: { status, data, text } }) =>
        status === 'success' ? succeeded(data ?? text) : failed(text),
      ),
      messages: [...messages, ...added],
    }
  }

  /**
   * Runs one call as the tool manager would. If the tool fails or the call is denied, that is a
   * result.
   */
  async executeTool(
    toolCall: PTKToolCall,
    tools: ReadonlyMap<string, PTKTool>,
  ): Promise<PTKToolResult> {
    const selected = selectTools([...tools.values()], this.#toolManager)
    return runCall(selected, toolCall).then(succeeded, (error: Error) => failed(error.message))
  }

  #converse(messages: readonly PTKMessage[], given: PTKExecuteOptions): Promise<Conversation> {
    checkFields('the options', given, optionRules)
    const config = this.#config
    const maxIterations = given.maxIterations ?? config?.defaultMaxIterations
    const timeout = given.timeout ?? config?.defaultTimeout
    return converse({
      llmManager: this.#llmManager,
      tools: selectTools(given.tools, this.#toolManager),
      messages,
      options: { ...given, maxIterations, timeout },
      retries: config?.retryFailedTools ? config.maxToolRetries : 0,
      log: config?.enableLogging ? console.log : () => {},
    })
  }
}

/** The interface of an executor. */
export type IPTKExecutor = Pick<PTKExecutor, keyof PTKExecutor>

function succeeded(data: unknown): PTKToolResult {
  return { success: true, data, error: null }
}

function failed(error: string): PTKToolResult {
  return { success: false, data: null, error }
}

/**
 * The tools of an execution, and the options for running them. Throws a TypeError if a name is
 * unknown or disabled.
 */
function selectTools(
  given: PTKExecuteOptions['tools'],
  manager: IToolManager | undefined,
): ManagedCallOptions {
  const listed = manager?.getTools?.()
  const selected = given ?? listed?.map(({ name }) => name) ?? []
  const isOwn = (tool: PTKTool | AnyTool | string): tool is PTKTool | AnyTool =>
    typeof tool !== 'string' && !listed?.some((each) => each === (tool as ListedTool))
  const own = selected.filter(isOwn).map(agentTool)
  const names = selected.map((tool) => (typeof tool === 'string' ? tool : tool.name))
  // A given tool replaces the manager's tool with the same name.
  const others = [...new Set(names)].filter((name) => !own.some((tool) => tool.name === name))
  if (!manager && others.length > 0)
    throw new TypeError(
      `There is no tool manager to find ${others[0]}. Pass one, or the tool itself.`,
    )
  const managed = manager?.callOptions?.(own)
  const all = managed?.registry ?? passingOn(listed ?? others.map(unlisted), manager)
  const registry = all.with({ tools: others }).with({ tools: names }, own)
  const enabled = [...registry.tools.values()]
  const off = names.find(
    (name) => !registry.find(name) && !enabled.some(({ toolkit }) => toolkit === name),
  )
  if (given && off !== undefined) throw new TypeError(`The tool ${off} is turned off.`)
  return { ...managed, registry }
}

/** Tools that the manager runs itself. */
function passingOn(listed: readonly ListedTool[], manager: IToolManager | undefined): Registry {
  const tools = listed.map((tool): AnyTool => ({
    ...tool,
    execute: (args: PTKArguments, { signal }) => manager!.execute(tool.name, args, signal),
  }))
  const registry = createRegistry(tools, { mode: 'auto' })
  registry.use(keepResult)
  return registry
}

/** A tool of a manager that cannot list its tools, so only the manager can look it up. */
function unlisted(name: string): ListedTool {
  return { name, description: '', parameters: { type: 'object' } }
}

const { flag, functionRule, milliseconds, orInfinity, positiveInteger, text, wholeNumber } = rules

const tool = {
  expected: '',
  test: (value: unknown) => text.test(value) || (isObject(value) && text.test(value['name'])),
}

/** The rules for options. */
export const optionRules: FieldRules<PTKExecuteOptions> = {
  tools: rules.listOf(tool, 'tools, or names of tools'),
  maxIterations: orInfinity(positiveInteger),
  maxToolCalls: orInfinity(wholeNumber),
  timeout: orInfinity(milliseconds),
  onIteration: functionRule,
  onToolCall: functionRule,
  onError: functionRule,
  onDuplicateDetected: functionRule,
  model: text,
  temperature: rules.finiteNumber,
  detectDuplicates: flag,
  duplicateWindow: positiveInteger,
  onMalformed: rules.oneOf('fail', 'feedback', 'text'),
  signal: rules.signalRule,
}

/** The rules for a configuration. */
export const configRules: FieldRules<PTKManagerConfig> = {
  defaultMaxIterations: optionRules.maxIterations,
  defaultTimeout: optionRules.timeout,
  enableLogging: flag,
  retryFailedTools: flag,
  maxToolRetries: wholeNumber,
}
