// Folder: One tool: its definition, its arguments, and one call of it.
import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { Schema } from '@toolglot/core'
import type { NetworkNotice, ResultChecks, ToolAccess } from '@toolglot/permissions'
import type { Ask } from './question.ts'

/**
 * The context of a call. The checks come from the permission decision: a tool returns only findings that they allow.
 * They are missing if a tool is called without a decision.
 */
export interface ToolContext extends Partial<ResultChecks> {
  /**
   * Aborted when the call is cancelled or times out. The tool must then end everything that it started within two
   * seconds. Its result or error by then still counts, except for the abort itself.
   */
  readonly signal: AbortSignal
  /** The id of the call. */
  readonly call: string
  /** The id of the run, if there is one. */
  readonly run?: string
  /**
   * Identifies the call in every process: a service that receives the same key twice should act once. Undefined outside
   * a run.
   */
  readonly idempotencyKey?: string
  /** The shell text that the model wrote, to show to people. The arguments contain the text to run, printed in its place. */
  readonly original?: string
  /**
   * The real paths that the permission decision covers: any file that the call opens must be one of them. If undefined,
   * a path that is named in the workspace must really be in it.
   */
  readonly paths?: readonly string[]
  /** The network access that a person granted in addition: everything, or these hosts. */
  readonly network?: 'all' | readonly string[]
  /**
   * Rejects if code that a person approved has changed since. Tools that start a process call it as late as possible.
   * Undefined if no person was asked, or the call runs no code but its own text.
   */
  readonly checkCode?: () => Promise<void>
  /** Asks a person questions; undefined if the run has no way to. */
  readonly ask?: Ask
  /** Reports progress while the tool runs. */
  progress(update: ToolProgress): void
  /**
   * Records data that the run's tools need after a restart, as JSON, with the outcome of this call. `Tool.resume`
   * receives the latest value of each key. Undefined outside a run.
   */
  readonly remember?: (key: string, value: unknown) => void
}

/** The progress of a running tool: output as it comes, a note, or the to-do list. */
export type ToolProgress =
  | { readonly type: 'output'; readonly stream: 'stdout' | 'stderr'; readonly text: string }
  | { readonly type: 'note'; readonly text: string }
  | { readonly type: 'todo'; readonly todos: readonly Todo[] }

/** An item of a to-do list. */
export interface Todo {
  readonly content: string
  readonly status: 'pending' | 'in_progress' | 'completed' | 'cancelled'
  /** The content in the progressive form, such as "Running the tests". */
  readonly activeForm: string
}

/** Whether a call was done. */
export type Verification<Result = unknown> =
  | { readonly status: 'done'; readonly result: Result }
  | { readonly status: 'not-done' }
  | { readonly status: 'unknown' }

/** A tool that a model can call. */
export interface Tool<Args = Record<string, unknown>, Result = unknown> {
  readonly name: string
  readonly description: string
  /** JSON Schema, or a schema from zod, valibot, arktype or another Standard Schema library. */
  readonly parameters: Schema | StandardSchemaV1<unknown, Args>
  /** The access that its arguments give, for permissions. */
  readonly access: ToolAccess
  /** The tool that this is an alias of: see `access.alias`. */
  readonly aliasOf?: Tool | undefined
  /** Its MCP server. */
  readonly server?: string | undefined
  /** The machine on which it works. Only processes there continue a run with such a tool. Default: any. */
  readonly host?: string | undefined
  /** The id of the toolkit that it is a method of. */
  readonly toolkit?: string | undefined
  /** 1 if every platform supports it, 2 if most do, 3 otherwise. */
  readonly level?: 1 | 2 | 3 | undefined
  /** Calling it twice has the same effect as calling it once, so it may be retried. */
  readonly idempotent?: boolean | undefined
  /** Repeating a call with the same arguments is not a loop, because the tool polls, waits or tests. */
  readonly repeatable?: boolean | undefined
  /** Every call needs approval by a person. */
  readonly dangerous?: boolean | undefined
  /** The reason why a call needs approval now, even if a rule allows it; undefined if there is none. */
  doubt?(): string | undefined
  /** In milliseconds. Default: the timeout for all tools. */
  readonly timeout?: number | undefined
  /** It waits for a person, so it has no default timeout. */
  readonly waits?: boolean | undefined
  /** Runs the tool with checked arguments. */
  execute(args: Args, context: ToolContext): Promise<Result> | Result
  /**
   * Finds out whether a call was done that had begun when its process died. If not, it is run again; without an answer, its
   * outcome is unknown, and it is not run again. Changes nothing.
   */
  verify?(
    args: Args,
    context: Pick<ToolContext, 'signal' | 'call' | 'run' | 'idempotencyKey'>,
  ): Promise<Verification<Result>> | Verification<Result>
  /**
   * Returns the change that a call would make as a unified diff; undefined if it is not known. Changes nothing. The
   * arguments have not been checked; `paths` are those that the permission decision covers.
   */
  preview?(
    args: Readonly<Record<string, unknown>>,
    allowed: Pick<ToolContext, 'paths'>,
  ): Promise<string | undefined>
  /**
   * Returns the limits of a call's access to the network, for the approver; undefined if there are none. The arguments
   * have not been checked. The hosts that the approver grants are `network` in the context.
   */
  network?(args: Readonly<Record<string, unknown>>): Promise<NetworkNotice | undefined>
  /** Formats a result for the model. Default: JSON. */
  show?(result: Result, args: Args): string
  /** Called before a run continues in another process, with the data that its tools remembered, by key. */
  resume?(run: string, remembered: ReadonlyMap<string, unknown>): Promise<void> | void
}

/** The definition of a tool. Without `access`, permissions depend only on its name. */
type ToolOptions<Args, Result> = Omit<Tool<Args, Result>, 'access'> & {
  readonly access?: ToolAccess | undefined
  /** It changes nothing, and reads nothing that needs permission. */
  readonly readOnly?: boolean | undefined
}

/** Defines a tool; the type of its arguments is inferred from its schema. */
export function tool<Parameters extends StandardSchemaV1, Result>(
  definition: Omit<ToolOptions<StandardSchemaV1.InferOutput<Parameters>, Result>, 'parameters'> & {
    readonly parameters: Parameters
  },
): Tool<StandardSchemaV1.InferOutput<Parameters>, Result>
export function tool<Result>(
  definition: ToolOptions<Record<string, unknown>, Result>,
): Tool<Record<string, unknown>, Result>
export function tool({
  readOnly,
  access = readOnly ? { readOnly, harmless: true } : {},
  ...definition
}: ToolOptions<Record<string, unknown>, unknown>): Tool {
  return { access, ...definition }
}

/** Whether running a tool twice has the same effect as running it once. */
export function mayRepeat({ access, idempotent }: Pick<Tool, 'access' | 'idempotent'>): boolean {
  return access.readOnly === true || idempotent === true
}

/** Whether a tool may change something. */
export function mayChange({ access }: Pick<Tool, 'access'>): boolean {
  return !access.readOnly && !access.harmless
}
