import type { AnyTool, CallOptions, ExecuteResult } from '@toolglot/agent'
import { describeThrown, isObject, readPermissions, serialize } from '@toolglot/agent/internal'
import { createRegistry, type Registry } from '@toolglot/agent/registry'
import type { PTKArguments, PTKTool, PTKToolCall } from './ptk/types.ts'
import { agentTool, errorOf, keepResult, runCall } from './run-call.ts'

/** Runs tools by name. */
export interface IToolManager {
  /** Returns the tool's return value, or throws if the tool failed. */
  execute(name: string, args: PTKArguments, signal?: AbortSignal): Promise<unknown>
  /** The manager's tools. Without this method, names of tools are passed on unchecked. */
  getTools?(): readonly ListedTool[]
  /**
   * The options for running the manager's tools, and `others`, under permissions. Without this
   * method, `execute` runs them.
   */
  callOptions?(others?: readonly AnyTool[]): ManagedCallOptions
}

/** The public description of a manager's tool. */
export type ListedTool = Omit<PTKTool, 'parameters' | 'handler'> & Pick<AnyTool, 'parameters'>

/** The options for running a manager's tools. */
export type ManagedCallOptions = CallOptions & { readonly registry: Registry }

/**
 * Wraps every allowed call. `next` runs the call, or a changed one, which is then checked
 * separately. It returns the tool's return value, or throws if the tool failed.
 */
export type ToolMiddleware = (
  toolCall: PTKToolCall,
  next: (changed?: PTKToolCall) => Promise<unknown>,
) => Promise<unknown>

/** The permissions and callbacks of a tool manager. */
export interface ToolManagerOptions extends Pick<
  CallOptions,
  'permissions' | 'fileSystem' | 'approve' | 'remember' | 'ask' | 'limits'
> {
  /**
   * Asks a person about a call that needs approval. Without this function and `approve`, such a
   * call is denied.
   */
  readonly askUserConfirmation?:
    | ((tool: string, args: PTKArguments) => Promise<boolean>)
    | undefined
}

/**
 * Manages the tools of a program. They are allowed unless they are `dangerous` or a rule says
 * otherwise. The canonical tools, such as those of `@toolglot/tools`, keep their own rules.
 */
export class ToolManager implements IToolManager {
  /** All tools, including disabled ones, since rules may refer to them. */
  readonly #all: Registry = createRegistry()
  readonly #registry: Registry = this.#all.with({ mode: 'auto' })
  readonly #options: CallOptions
  /** The tools in their original form, by name. */
  readonly #given = new Map<string, PTKTool | AnyTool>()

  constructor({ askUserConfirmation, ...options }: ToolManagerOptions = {}) {
    const approve: CallOptions['approve'] = async ({ name, args }) => {
      try {
        const isAllowed = (await askUserConfirmation!(name, args)) === true
        return { verdict: isAllowed ? 'allow' : 'deny' }
      } catch (error) {
        return {
          verdict: 'deny',
          reason: `Approval could not be requested: ${describeThrown(error)}`,
        }
      }
    }
    this.#options = { ...options, ...(askUserConfirmation && { approve }) }
    this.#registry.use(keepResult)
  }

  /** Adds a tool. Throws if its name is already in use. */
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
          throw new TypeError(
            'Middleware must call next() or next({ tool, args }), with a name and an object.',
          )
        last = await next({ ...call, name: tool, args })
        if (last.status === 'success') return last.result
        throw (failure = errorOf(last.failure))
      }
      try {
        const result = await middleware(toolCall, run)
        if (last?.status === 'success' && last.result === result) return last
        return { status: 'success', result, ...(await serialize(result, MAX_RESULT)) }
      } catch (error) {
        // The middleware rethrew the tool's error.
        if (last && error === failure) return last
        throw error
      }
    })
  }

  /**
   * Checks and runs a call, and returns the tool's return value. Throws a PTKExecutionError if the
   * call is denied or fails.
   */
  async execute(name: string, args: PTKArguments = {}, signal?: AbortSignal): Promise<unknown> {
    return runCall(this.callOptions(), { tool: name, args }, signal)
  }

  /** The registered tools. */
  getTools(): (PTKTool | AnyTool)[] {
    return [...this.#all.tools.values()].map((tool) => this.#given.get(tool.name) ?? tool)
  }

  /**
   * The options for running the manager's tools, for `run` and `cycle`. Rules may also refer to
   * `others`.
   */
  callOptions(others: readonly AnyTool[] = []): ManagedCallOptions {
    const { permissions = {} } = this.#options
    const access = new Map([...this.#all.access, ...createRegistry(others).access])
    const read = 'rules' in permissions ? permissions : readPermissions(permissions, access)
    return { ...this.#options, permissions: read, registry: this.#registry }
  }
}

/** The maximum number of characters to read from a result of middleware. */
const MAX_RESULT = 4 << 20
