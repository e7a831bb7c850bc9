import type { AnyTool, CallOptions, ExecuteResult } from '@toolglot/agent'
import { describeThrown, isObject, readPermissions, serialize } from '@toolglot/agent/internal'
import { createRegistry, type Registry } from '@toolglot/agent/registry'
import type { PTKArguments, PTKTool, PTKToolCall } from './ptk/types.ts'
import { agentTool, errorOf, keepResult, runCall } from './run-call.ts'

/** Runs tools by name. */
export interface IToolManager {
  /** Returns what the tool returned, and throws if it failed. */
  execute(name: string, args: PTKArguments, signal?: AbortSignal): Promise<unknown>
  /** Its tools. Without this, names of tools are passed on unchecked. */
  getTools?(): readonly ListedTool[]
  /** How its tools, and others beside them, are run under permissions. Without this, `execute` runs them. */
  callOptions?(others?: readonly AnyTool[]): ManagedCallOptions
}

/** A tool of a manager, as others see it. */
export type ListedTool = Omit<PTKTool, 'parameters' | 'handler'> & Pick<AnyTool, 'parameters'>

/** How the tools of a manager are run. */
export type ManagedCallOptions = CallOptions & { readonly registry: Registry }

/**
 * Wraps every call that may run. `next` runs it, or another one, which is then checked again; it returns what the tool
 * returned, and throws if the tool failed.
 */
export type ToolMiddleware = (
  toolCall: PTKToolCall,
  next: (changed?: PTKToolCall) => Promise<unknown>,
) => Promise<unknown>

/** How a tool manager runs tools: under which permissions, and who is asked. */
export interface ToolManagerOptions extends Pick<
  CallOptions,
  'permissions' | 'fileSystem' | 'approve' | 'remember' | 'ask' | 'limits'
> {
  /** Asks a person about a call that needs approval. Without it and `approve`, such a call is denied. */
  readonly askUserConfirmation?:
    | ((tool: string, args: PTKArguments) => Promise<boolean>)
    | undefined
}

/**
 * The tools of a program. They are allowed, unless they are `dangerous` or a rule says otherwise. The canonical tools, such
 * as those of `@toolglot/tools`, keep their own rules.
 */
export class ToolManager implements IToolManager {
  /** All tools, whatever the configuration disables: rules may name them. */
  readonly #all: Registry = createRegistry()
  readonly #registry: Registry = this.#all.with({ mode: 'auto' })
  readonly #options: CallOptions
  /** The tools as they were given, by name. */
  readonly #given = new Map<string, PTKTool | AnyTool>()

  constructor({ askUserConfirmation, ...options }: ToolManagerOptions = {}) {
    const approve: CallOptions['approve'] = async ({ name, args }) => {
      try {
        const isAllowed = (await askUserConfirmation!(name, args)) === true
        return { verdict: isAllowed ? 'allow' : 'deny' }
      } catch (error) {
        return { verdict: 'deny', reason: `Nobody could be asked: ${describeThrown(error)}` }
      }
    }
    this.#options = { ...options, ...(askUserConfirmation && { approve }) }
    this.#registry.use(keepResult)
  }

  /** Adds a tool. Throws if its name is taken. */
  registerTool(tool: PTKTool | AnyTool): void {
    this.#registry.add(agentTool(tool))
    this.#given.set(tool.name, tool)
  }

  /** Adds middleware, inside the existing one. Returns a function that removes it. */
  use(middleware: ToolMiddleware): () => void {
    return this.#registry.use(async (call, next) => {
      let last: ExecuteResult | undefined
      let failure: unknown
      const toolCall: PTKToolCall = { tool: call.name, args: { ...call.args } }
      const run = async (changed = toolCall): Promise<unknown> => {
        const { tool, args } = Object(changed) as PTKToolCall
        if (typeof tool !== 'string' || !isObject(args))
          throw new TypeError('Expected next(), or next({ tool, args }) with a name and an object.')
        last = await next({ ...call, name: tool, args })
        if (last.status === 'success') return last.result
        throw (failure = errorOf(last.failure))
      }
      try {
        const result = await middleware(toolCall, run)
        if (last?.status === 'success' && last.result === result) return last
        return { status: 'success', result, ...(await serialize(result, MAX_RESULT)) }
      } catch (error) {
        // It passes on what the tool threw.
        if (last && error === failure) return last
        throw error
      }
    })
  }

  /** Checks a call, runs it, and returns what the tool returned. Throws a PTKExecutionError if it may not run, or fails. */
  async execute(name: string, args: PTKArguments = {}, signal?: AbortSignal): Promise<unknown> {
    return runCall(this.callOptions(), { tool: name, args }, signal)
  }

  /** The tools that were registered. */
  getTools(): (PTKTool | AnyTool)[] {
    return [...this.#all.tools.values()].map((tool) => this.#given.get(tool.name) ?? tool)
  }

  /** How its tools are run, for `run` and `cycle`. Rules may also name the others. */
  callOptions(others: readonly AnyTool[] = []): ManagedCallOptions {
    const { permissions = {} } = this.#options
    const access = new Map([...this.#all.access, ...createRegistry(others).access])
    const read = 'rules' in permissions ? permissions : readPermissions(permissions, access)
    return { ...this.#options, permissions: read, registry: this.#registry }
  }
}

/** How much of what middleware returns is read, in characters. */
const MAX_RESULT = 4 << 20
