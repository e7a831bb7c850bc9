// Folder: Cycles of a chat in the `vcp` protocol.
import { type AnyTool, collect, cycle } from '@toolglot/agent'
import { jsonSchemaOf, parametersOf, unlessAborted } from '@toolglot/agent/internal'
import { createRegistry } from '@toolglot/agent/registry'
import type { Protocol } from '@toolglot/core'
import { inTime } from '../run-call.ts'
import { checkToolCallConfig, resolveToolEnabled } from './discovery.ts'
import { CoreToolCallingProtocol, resolveProtocol } from './protocol.ts'
import {
  methodsOf,
  toolRegistryManager,
  type MethodMetadata,
  type OnBeforeExecute,
  type ParsedToolRequest,
  type ToolCallConfig,
  type ToolCallCycleResult,
  type ToolCallingProtocol,
  type ToolExecutionResult,
  type ToolRegistry,
} from './registry.ts'

/** Options for running calls. */
export interface ExecuteRequestsOptions {
  /** The configuration. `enabled: false` disables all tools. */
  readonly config?: ToolCallConfig | undefined
  /** The protocol that the model was asked to use. Default: the configuration's. */
  readonly protocol?: ToolCallConfig['protocol'] | undefined
  /**
   * Called before each call if the configuration requires confirmation. Without it, such calls are
   * refused.
   */
  readonly onBeforeExecute?: OnBeforeExecute | undefined
  readonly signal?: AbortSignal | undefined
}

/** Options for processing a reply. */
export type CycleProcessOptions = ExecuteRequestsOptions

/** The timeout of a method in milliseconds. */
const TIMEOUT = 30_000

/** Parses the calls in a reply. If a protocol throws, the result is empty. */
export function parseToolRequests(
  text: string,
  protocol?: ToolCallConfig['protocol'],
): ParsedToolRequest[] {
  const resolved = resolveProtocol(protocol)
  try {
    return resolved.parseToolRequests(text)
  } catch {
    return []
  }
}

/** Reads the calls of a reply and runs them. */
export async function processToolCallCycle(
  assistantText: string,
  options: CycleProcessOptions = {},
): Promise<ToolCallCycleResult> {
  const { config = {}, protocol = config.protocol } = options
  checkToolCallConfig(config)
  const parsedRequests = config.enabled === false ? [] : parseToolRequests(assistantText, protocol)
  const executionResults = await executeToolRequests(parsedRequests, options)
  return { hasToolRequests: parsedRequests.length > 0, parsedRequests, executionResults }
}

/** Prints results for the model. */
export function formatResultsForContext(
  results: ToolExecutionResult[],
  protocol?: ToolCallingProtocol | string,
): string {
  return resolveProtocol(protocol).formatToolResults(results)
}

/**
 * Runs calls one by one or, with `parallelExecution`, concurrently. Results are in the order of the
 * calls.
 */
export async function executeToolRequests(
  requests: readonly ParsedToolRequest[],
  options: ExecuteRequestsOptions = {},
): Promise<ToolExecutionResult[]> {
  const { config, onBeforeExecute } = options
  if (config?.parallelExecution) {
    const asking = { ...options, onBeforeExecute: onBeforeExecute && oneAtATime(onBeforeExecute) }
    return Promise.all(requests.map((request) => executeSingleRequest(request, asking)))
  }
  const results: ToolExecutionResult[] = []
  for (const request of requests) results.push(await executeSingleRequest(request, options))
  return results
}

/**
 * Runs one call if it is confirmed and its method may be called. Failures are returned as results;
 * invalid options throw.
 */
export async function executeSingleRequest(
  request: ParsedToolRequest,
  options: ExecuteRequestsOptions = {},
): Promise<ToolExecutionResult> {
  const { config = {}, onBeforeExecute, protocol = config.protocol } = options
  const { signal = new AbortController().signal } = options
  checkToolCallConfig(config)
  const written = coreProtocol(protocol)
  const { requestId, toolName } = request
  const started = Date.now()
  const ended = (status: ToolExecutionResult['status'], result: string): ToolExecutionResult => ({
    requestId,
    toolName,
    status,
    result,
    durationMs: Date.now() - started,
  })
  const ask = async (): Promise<unknown> => onBeforeExecute?.(request)
  const confirm = async (): Promise<boolean> => (await unlessAborted(signal, ask())) === true
  try {
    if (config.enabled === false) return ended('error', notCallable(toolName))
    const needsConfirmation = config.requireConfirmation === true || config.mode === 'manual'
    if (needsConfirmation && !(await confirm())) return ended('error', '用户未授权')
    const found = findMethod(request)
    if (typeof found === 'string') return ended('error', found)
    if (!resolveToolEnabled(found.tool.id, config)) return ended('error', notCallable(toolName))
    const { calls } = await collect(
      cycle({
        // A call in an unusual form needs confirmation.
        reply: { calls: [{ ...request.call, name: toolName, args: found.args }] },
        tools: createRegistry([toolFor(toolName, found)], { mode: 'auto' }),
        limits: { toolTimeout: config.timeout ?? TIMEOUT },
        approve: async () => ({
          verdict: needsConfirmation || (await confirm()) ? 'allow' : 'deny',
          reason: '用户未授权',
        }),
        ...(written && { protocol: written }),
        signal,
      }),
    )
    const { status, text } = calls[0]!.outcome
    return ended(status === 'success' ? 'success' : 'error', text)
  } catch (error) {
    return ended('error', error instanceof Error ? error.message : String(error))
  }
}

/** The core protocol, in which text copied from results is restored. */
function coreProtocol(given: ToolCallConfig['protocol']): Protocol | undefined {
  const protocol = resolveProtocol(given)
  return protocol instanceof CoreToolCallingProtocol ? protocol.protocol : undefined
}

/** Wraps a callback so that a person is asked about one call at a time. */
function oneAtATime(ask: OnBeforeExecute): OnBeforeExecute {
  let last: Promise<unknown> = Promise.resolve()
  return (request) => {
    const answer = last.then(() => ask(request))
    last = answer.catch(() => undefined)
    return answer
  }
}

interface FoundMethod {
  readonly tool: ToolRegistry
  readonly method: MethodMetadata
  readonly args: ParsedToolRequest['args']
  readonly run: (args: unknown, context: unknown) => unknown
}

/**
 * The method for a call, or the reason why it cannot be called. Names are never split, because ids
 * and methods may both contain `_`.
 */
function findMethod({ toolName, args, problem }: ParsedToolRequest): FoundMethod | string {
  if (toolName === '') return `无效格式: ${problem ?? '?'} (toolId_methodName)`
  const { command, ...others } = args
  const tools = toolRegistryManager.getAllTools()
  // Some models write the method separately.
  const names = command === undefined ? [toolName] : [toolName, `${toolName}_${command}`]
  for (const [at, name] of names.entries())
    for (const tool of tools)
      for (const method of methodsOf(tool)) {
        const given = [method.name, method.protocolConfig?.vcpCommand ?? method.name]
        const run =
          given.some((each) => `${tool.id}_${each}` === name) && functionIn(tool, method.name)
        if (run && method.agentCallable !== true) return notCallable(name)
        if (run) return { tool, method, run, args: at === 0 ? args : others }
      }
  const candidates = tools.filter(({ id }) => toolName.startsWith(`${id}_`))
  if (candidates.some((tool) => functionIn(tool, toolName.slice(tool.id.length + 1))))
    return notCallable(toolName)
  if (candidates.length > 0) return `方法不存在: ${toolName}`
  const isName = /^[^_].*_./s.test(toolName)
  return isName ? `工具不存在: ${toolName}` : `无效格式: ${toolName} (toolId_methodName)`
}

function notCallable(name: string): string {
  return `方法不可调用: ${name}`
}

/** A tool's function. Functions that every object inherits are excluded. */
function functionIn(tool: ToolRegistry, name: string): FoundMethod['run'] | undefined {
  const found: unknown = name in Object.prototype ? undefined : Reflect.get(tool, name)
  return typeof found === 'function' ? (found.bind(tool) as FoundMethod['run']) : undefined
}

/** The method as a tool. Its arguments are strings, which it converts itself. */
function toolFor(name: string, { method, run }: FoundMethod): AnyTool {
  const { description = '', protocolConfig: _, agentCallable: __, ...flags } = method
  const { required = [] } = jsonSchemaOf(parametersOf(method))
  const execute: AnyTool['execute'] = (args, context) =>
    inTime(name, context.signal, run(args, context))
  return { ...flags, name, description, parameters: { type: 'object', required }, execute }
}
