import { nearest } from '../nearest.ts'
import { type Named, ownArguments, type PermissionCall, toolNamed } from '../permission/call.ts'
import { decide, type Permissions } from '../permission/decide.ts'
import type { Decision } from '../permission/decision.ts'
import type { World } from '../permission/world.ts'
import { checkArguments } from './parameters.ts'
import type { Ask } from './question.ts'
import { shownResult } from './shown-result.ts'
import type { Progress, Tool } from './tool.ts'
import { type ErrorType, ToolError, type ToolFailure } from './tool-error.ts'

/** A call that is to be run. */
export interface ToolCall extends PermissionCall {
  readonly id: string
}

export interface ExecuteOptions {
  /** By name. */
  readonly tools: ReadonlyMap<string, Tool>
  readonly permissions: Permissions
  readonly world: World
  readonly signal?: AbortSignal
  readonly run?: string
  readonly onProgress?: (update: Progress) => void
  /** Puts a tool's own questions to a person. */
  readonly ask?: Ask
  /** Called before a tool that may change something is run: if it fails, the tool is not. */
  readonly begin?: () => Promise<void>
  /** Asks a person; without it there is nobody to ask. */
  readonly approve?: (
    call: ToolCall,
    decision: Decision,
  ) => Promise<{ readonly verdict: 'allow' | 'deny'; readonly reason?: string }>
}

/** What became of a call. */
export type Outcome =
  | { readonly status: 'success'; readonly result: unknown; readonly text: string }
  | { readonly status: 'error'; readonly failure: ToolFailure }

/** Runs a call: its arguments are checked, it is decided on, a person is asked where that is needed. It never throws. */
export async function execute(call: ToolCall, options: ExecuteOptions): Promise<Outcome> {
  const named = toolNamed(call.name, options.permissions.tools) ?? { tool: call.name }
  const found = options.tools.get(named.tool)
  if (!found) return failed(call.name, unknown(call.name, options.tools))
  try {
    const { args, paths } = await prepare(call, named, found, options)
    const result = await runTool(found, args, paths, call, options)
    return outcomeOf(result, shownResult(found, result, args), named)
  } catch (error) {
    // Whatever a tool throws is something the model is told.
    return failed(found.name, error)
  }
}

/** A result, as the name that was called gives it. */
function outcomeOf(result: unknown, text: string, { alias }: Named): Outcome {
  if (!alias) return { status: 'success', result, text }
  const own = alias.fromTool(result, text)
  return { status: 'success', result: own, text: JSON.stringify(own) }
}

/** What a call that may run is run with; throws a ToolError where it may not. */
async function prepare(
  call: ToolCall,
  named: Named,
  found: Tool,
  { permissions, world, approve }: ExecuteOptions,
): Promise<{ args: Record<string, unknown>; paths: readonly string[] }> {
  const given = ownArguments(call.args, named, permissions)
  if (typeof given === 'string') throw new ToolError('invalid_input', given)
  const checked = await checkArguments(found.parameters, given)
  if ('problems' in checked) throw await wrongArguments(call, named, checked.problems)
  const decision = decide({ ...call, name: found.name, args: given }, permissions, world)
  const ready = { args: checked.args, paths: pathsOf(decision) }
  if (decision.verdict === 'allow' && !found.dangerous) return ready
  const answer =
    decision.verdict === 'deny' || !approve
      ? { verdict: 'deny' as const, reason: whyNot(decision) }
      : await approve(call, decision)
  if (answer.verdict === 'allow') return ready
  throw new ToolError('permission_denied', answer.reason ?? 'The user does not want this.', {
    code: decision.verdict === 'deny' ? 'denied_by_rule' : 'denied_by_user',
    ...(decision.rule && { matched_rule: decision.rule.text }),
  })
}

/** In the words of the name that was called, where it has its own. */
async function wrongArguments(
  { name, args }: ToolCall,
  { tool, alias }: Named,
  problems: readonly string[],
): Promise<ToolError> {
  const own = alias && (await checkArguments(alias.parameters, args))
  const said =
    own && 'problems' in own ? { tool: name, problems: own.problems } : { tool, problems }
  return new ToolError('invalid_input', `${said.tool}: ${said.problems.join('; ')}`, {
    code: 'invalid_arguments',
    problems: said.problems,
  })
}

function whyNot({ verdict, why, what, error }: Decision): string {
  if (error !== undefined) return error
  return verdict === 'deny'
    ? `Not allowed: ${what}: ${why}.`
    : `This needs a person's approval, and there is nobody to ask: ${what}: ${why}.`
}

/** Where the paths among the arguments lead, as it was decided on: what is swapped in since is not opened. */
function pathsOf({ parts }: Decision): readonly string[] {
  return parts.flatMap(({ subject, real }) =>
    real !== undefined && subject && 'tool' in subject ? [real] : [],
  )
}

async function runTool(
  found: Tool,
  args: Record<string, unknown>,
  paths: readonly string[],
  call: ToolCall,
  { signal, run, onProgress, ask, begin }: ExecuteOptions,
): Promise<unknown> {
  const limit = found.timeout === undefined ? undefined : AbortSignal.timeout(found.timeout)
  const signals = [signal, limit].filter((each) => each !== undefined)
  const stop = AbortSignal.any(signals)
  try {
    stop.throwIfAborted()
    if (!found.access.readOnly && !found.idempotent) await begin?.()
    return await found.execute(args, {
      signal: stop,
      call: call.id,
      ...(paths.length > 0 && { paths }),
      ...(run !== undefined && { run }),
      ...(ask && { ask }),
      progress: (update) => onProgress?.(update),
    })
  } catch (error) {
    if (!stop.aborted || error instanceof ToolError) throw error
    throw limit?.aborted
      ? new ToolError('timeout', `${found.name} was stopped after ${found.timeout} ms.`)
      : new ToolError('execution_failed', `${found.name} was cancelled.`, { code: 'cancelled' })
  }
}

function unknown(name: string, tools: ReadonlyMap<string, Tool>): ToolError {
  const names = [...tools.keys()]
  const [close] = nearest(name, names)
  const advice = close === undefined ? `There are ${names.join(', ')}.` : `Did you mean ${close}?`
  return new ToolError(
    'not_found',
    `There is no tool ${JSON.stringify(name.slice(0, 80))}. ${advice}`,
    {
      code: 'unknown_tool',
    },
  )
}

function failed(tool: string, error: unknown): Outcome {
  const [type, message, details] = describe(error)
  return {
    status: 'error',
    failure: { tool, error_type: type, message, ...(details && { details }) },
  }
}

function describe(error: unknown): [ErrorType, string, ToolFailure['details']] {
  if (error instanceof ToolError) return [error.errorType, error.message, error.details]
  const message = error instanceof Error ? error.message : String(error)
  return ['execution_failed', message, { code: 'internal' }]
}
