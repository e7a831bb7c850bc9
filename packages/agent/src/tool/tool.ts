// Folder: One tool: its definition, its arguments, and one call of it.
import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { Schema } from '@toolglot/core'
import type { NetworkNotice, ResultChecks, ToolAccess } from '@toolglot/permissions'
import type { Ask } from './question.ts'

/**
 * The context of a call. The result checks come from the permission decision: a tool must return
 * only findings that they allow. They are missing if a tool is called without a decision.
 */
export interface ToolContext extends Partial<ResultChecks> {
  /**
   * Aborted when the call is cancelled or times out. The tool must then end all its work within two
   * seconds. A result or error in that time still counts, except for the abort error itself.
   */
  readonly signal: AbortSignal
  /** The id of the call. */
  readonly call: string
  /** The id of the run, if there is one. */
  readonly run?: string
  /**
   * Identifies the call in every process: a service that receives the same key twice should act
   * only once. Undefined outside of a run.
   */
  readonly idempotencyKey?: string
  /**
   * The shell text written by the model, to show to people. The arguments contain the printed text
   * to run instead.
   */
  readonly original?: string
  /**
   * The real paths covered by the permission decision: every file that the call opens must be one
   * of them. If undefined, paths in the workspace must really be inside it.
   */
  readonly paths?: readonly string[]
  /** Additional network access granted by a person: unrestricted, or only these hosts. */
  readonly network?: 'all' | readonly string[]
  /**
   * Rejects if the code approved by a person has changed since. Tools that start a process should
   * call it as late as possible. Undefined if no person approved the call, or if it runs no code
   * besides its own text.
   */
  readonly checkCode?: () => Promise<void>
  /** Asks a person questions. Undefined if the run cannot ask anyone. */
  readonly ask?: Ask
  /** Reports progress while the tool runs. */
  progress(update: ToolProgress): void
  /**
   * Records data that the tools of the run need after a restart, as JSON, with the outcome of this
   * call. `Tool.resume` receives the latest value of each key. Undefined outside of a run.
   */
  readonly remember?: (key: string, value: unknown) => void
}

/** The progress of a running tool: output, a note, or the list of tasks. */
export type ToolProgress =
  | { readonly type: 'output'; readonly stream: 'stdout' | 'stderr'; readonly text: string }
  | { readonly type: 'note'; readonly text: string }
  | { readonly type: 'todo'; readonly todos: readonly Todo[] }

/** A task in a list of tasks. */
export interface Todo {
  readonly content: string
  readonly status: 'pending' | 'in_progress' | 'completed' | 'cancelled'
  /** The content in the progressive form, such as "Running the tests". */
  readonly activeForm: string
}

/** The result of checking if a call was done. */
export type Verification<Result = unknown> =
  | { readonly status: 'done'; readonly result: Result }
  | { readonly status: 'not-done' }
  | { readonly status: 'unknown' }

/** A tool that a model can call. */
export interface Tool<Args = Record<string, unknown>, Result = unknown> {
  readonly name: string
  readonly description: string
  /** A JSON Schema, or a schema from zod, valibot, arktype or another Standard Schema library. */
  readonly parameters: Schema | StandardSchemaV1<unknown, Args>
  /** The access of a call, derived from its arguments, for permissions. */
  readonly access: ToolAccess
  /** The tool that this is an alias of: see `access.alias`. */
  readonly aliasOf?: Tool | undefined
  /** The name of its MCP server. */
  readonly server?: string | undefined
  /**
   * The machine on which it runs. Only processes on that machine continue a run with such a tool.
   * Default: any machine.
   */
  readonly host?: string | undefined
  /** The id of its toolkit. */
  readonly toolkit?: string | undefined
  /** The availability: 1 if every platform supports it, 2 if most do, otherwise 3. */
  readonly level?: 1 | 2 | 3 | undefined
  /** Calling it twice has the same effect as calling it once, so it may be retried. */
  readonly idempotent?: boolean | undefined
  /**
   * True if repeating a call with the same arguments is not considered a loop, because the tool
   * polls, waits or tests.
   */
  readonly repeatable?: boolean | undefined
  /** True if every call needs a person's approval. */
  readonly dangerous?: boolean | undefined
  /**
   * Returns the reason why a call needs approval at this time even if a rule allows it, or
   * undefined.
   */
  doubt?(): string | undefined
  /** The timeout in milliseconds. Default: the timeout for all tools. */
  readonly timeout?: number | undefined
  /** True if the tool waits for a person, so it has no default timeout. */
  readonly waits?: boolean | undefined
  /** Runs the tool with checked arguments. */
  execute(args: Args, context: ToolContext): Promise<Result> | Result
  /**
   * Checks whether a call was done whose process died while it was running. If the call was not
   * done, it runs again. If the check is inconclusive, the outcome is unknown and the call does not
   * run again. Changes nothing.
   */
  verify?(
    args: Args,
    context: Pick<ToolContext, 'signal' | 'call' | 'run' | 'idempotencyKey'>,
  ): Promise<Verification<Result>> | Verification<Result>
  /**
   * Returns the changes that a call would make as a unified diff, or undefined if unknown. Changes
   * nothing. The arguments have not been checked. `paths` are covered by the permission decision.
   */
  preview?(
    args: Readonly<Record<string, unknown>>,
    allowed: Pick<ToolContext, 'paths'>,
  ): Promise<string | undefined>
  /**
   * Returns the limits of a call's network access, to show to the approver, or undefined if there
   * are none. The arguments have not been checked. Hosts granted by the approver are in `network`
   * of the context.
   */
  network?(args: Readonly<Record<string, unknown>>): Promise<NetworkNotice | undefined>
  /** Formats a result for the model. Default: JSON. */
  show?(result: Result, args: Args): string
  /**
   * Called before a run continues in another process, with the data remembered by its tools, by
   * key.
   */
  resume?(run: string, remembered: ReadonlyMap<string, unknown>): Promise<void> | void
}

/** The definition of a tool. Without `access`, permissions depend only on its name. */
type ToolOptions<Args, Result> = Omit<Tool<Args, Result>, 'access'> & {
  readonly access?: ToolAccess | undefined
  /** The tool changes nothing and needs no permission to read. */
  readonly readOnly?: boolean | undefined
}

/** Defines a tool. The type of its arguments is inferred from its schema. */
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

/** True if running a tool twice has the same effect as running it once. */
export function mayRepeat({ access, idempotent }: Pick<Tool, 'access' | 'idempotent'>): boolean {
  return access.readOnly === true || idempotent === true
}

/** True if a tool may change something. */
export function mayChange({ access }: Pick<Tool, 'access'>): boolean {
  return !access.readOnly && !access.harmless
}
