import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { Schema } from '@toolglot/core'
import type { ResultChecks, ToolAccess } from '@toolglot/permissions'
import type { Ask } from './question.ts'

/**
 * What a tool is given beside its arguments. The checks come from the decision that let the call run: what a tool finds is
 * shown only where they say so. They are missing where a tool is called without a decision.
 */
export interface ToolContext extends Partial<ResultChecks> {
  /**
   * Stopped when the call is, or when its time is over: whatever the tool began must end then, within two seconds. What it
   * gives or throws by then counts; not that it was stopped, which is known.
   */
  readonly signal: AbortSignal
  /** The id of the call; and of the run, where there is one. */
  readonly call: string
  readonly run?: string
  /**
   * The real paths that permissions were decided for: a file that the call opens must be one of them. Undefined: what
   * is named in the workspace must lie in it.
   */
  readonly paths?: readonly string[]
  /** Puts questions to a person; undefined where the run has no way to. */
  readonly ask?: Ask
  /** Says what is happening while it happens. */
  progress(update: ToolProgress): void
}

/** What a long tool says while it works: output as it comes, how far it is, what is to be done. */
export type ToolProgress =
  | { readonly type: 'output'; readonly stream: 'stdout' | 'stderr'; readonly text: string }
  | { readonly type: 'note'; readonly text: string }
  | { readonly type: 'todo'; readonly todos: readonly Todo[] }

/** One thing to do. */
export interface Todo {
  readonly content: string
  readonly status: 'pending' | 'in_progress' | 'completed' | 'cancelled'
  /** The same as something that is going on. */
  readonly activeForm: string
}

/** Something a model can call. */
export interface Tool<Args = Record<string, unknown>, Result = unknown> {
  readonly name: string
  readonly description: string
  /** JSON Schema, or a schema of zod, valibot, arktype … */
  readonly parameters: Schema | StandardSchemaV1<unknown, Args>
  /** What its arguments reach, for permissions. */
  readonly access: ToolAccess
  /** The tool that it is only another name of: see `access.alias`. */
  readonly aliasOf?: Tool
  /** 1 for what every platform has, 2 for what most have, 3 for the rest. */
  readonly level?: 1 | 2 | 3
  /** Calling it twice is calling it once: it may be tried again. */
  readonly idempotent?: boolean
  /** Calling it again with the same arguments is no loop: it polls, waits or tests. */
  readonly repeatable?: boolean
  /** A person is always asked. */
  readonly dangerous?: boolean
  /** Why a person is asked now, whatever rules allow; undefined: there is no such reason. */
  doubt?(): string | undefined
  /** In milliseconds; if not told, what holds for all tools. */
  readonly timeout?: number
  /** It waits for a person, who may take any time. */
  readonly waits?: boolean
  execute(args: Args, context: ToolContext): Promise<Result> | Result
  /** What the model reads of a result; JSON, if not told. */
  show?(result: Result, args: Args): string
}

/** A tool as one writes it. Without `access`, permissions know only its name. */
type Definition<Args, Result> = Omit<Tool<Args, Result>, 'access'> & {
  readonly access?: ToolAccess
  /** It changes nothing, and reads nothing that needs a permission. */
  readonly readOnly?: boolean
}

/** A tool whose arguments have the type that its schema says. */
export function tool<Parameters extends StandardSchemaV1, Result>(
  definition: Omit<Definition<StandardSchemaV1.InferOutput<Parameters>, Result>, 'parameters'> & {
    readonly parameters: Parameters
  },
): Tool<StandardSchemaV1.InferOutput<Parameters>, Result>
export function tool<Result>(
  definition: Definition<Record<string, unknown>, Result>,
): Tool<Record<string, unknown>, Result>
export function tool({
  readOnly,
  ...definition
}: Definition<Record<string, unknown>, unknown>): Tool {
  return { access: readOnly ? { readOnly, harmless: true } : {}, ...definition }
}
