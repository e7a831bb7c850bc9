import { nearest } from '../nearest.ts'
import { type Named, ownArguments, type PermissionCall, toolNamed } from '../permission/call.ts'
import { approvalHash } from '../permission/approval.ts'
import { decide, type Permissions } from '../permission/decide.ts'
import type { Decision } from '../permission/decision.ts'
import type { World } from '../permission/world.ts'
import { checkArguments } from './parameters.ts'
import type { Ask } from './question.ts'
import { runTool } from './run-tool.ts'
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
  /**
   * Asks a person; without it there is nobody to ask. If meanwhile something changed that was decided on, they are asked
   * again: `times` is how often they were before.
   */
  readonly approve?: (
    call: ToolCall,
    decision: Decision,
    times: number,
  ) => Promise<{ readonly verdict: 'allow' | 'deny'; readonly reason?: string }>
  /** In milliseconds: how long a tool may take that does not say so itself, and waits for nobody. */
  readonly toolTimeout?: number
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
  options: ExecuteOptions,
): Promise<{ args: Record<string, unknown>; paths: readonly string[] }> {
  const given = ownArguments(call.args, named, options.permissions)
  if (typeof given === 'string') throw new ToolError('invalid_input', given)
  const checked = await checkArguments(found.parameters, given)
  if ('problems' in checked) throw await wrongArguments(call, named, checked.problems)
  const own = { ...call, name: found.name, args: given }
  return { args: checked.args, paths: pathsOf(await permitted(call, own, found, options)) }
}

/** What was decided of a call that may run; throws where it may not. A person's yes is for what they were asked about. */
async function permitted(
  call: ToolCall,
  own: ToolCall,
  found: Tool,
  options: ExecuteOptions,
): Promise<Decision> {
  let approved: string | undefined
  for (let times = 0; times <= MOST_TIMES; times++) {
    const { permissions, world, approve, tools, run = '' } = options
    const decision = decide(own, permissions, world)
    if (tools.get(found.name) !== found) throw changed(found.name)
    if (decision.verdict === 'allow' && !found.dangerous) return decision
    if (decision.verdict === 'deny' || !approve) throw denied(decision, whyNot(decision))
    const hash = await approvalHash(run, call.id, own, decision, world.cwd)
    if (hash === approved) return decision
    const { verdict, reason } = await approve(call, decision, times)
    if (verdict === 'deny') throw denied(decision, reason ?? 'The user does not want this.')
    approved = hash
  }
  throw changed('What it would do')
}

/** How often a person is asked about one call. */
const MOST_TIMES = 3

function changed(what: string): ToolError {
  return new ToolError(
    'permission_denied',
    `${what} changed while a person was asked about it, so it was not run.`,
    { code: 'changed_since_asked' },
  )
}

function denied({ verdict, rule }: Decision, reason: string): ToolError {
  return new ToolError('permission_denied', reason, {
    code: verdict === 'deny' ? 'denied_by_rule' : 'denied_by_user',
    ...(rule && { matched_rule: rule.text }),
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
  try {
    if (error instanceof ToolError) return [error.errorType, error.message, error.details]
    const message = error instanceof Error ? error.message : String(error)
    return ['execution_failed', message, { code: 'internal' }]
  } catch {
    // Even to look at what was thrown may throw.
    return ['execution_failed', 'It failed, and does not say why.', { code: 'internal' }]
  }
}
