import { nearest } from '../nearest.ts'
import { ownArguments, type PermissionCall, toolNamed } from '../permission/call.ts'
import { decide, type Permissions } from '../permission/decide.ts'
import type { Decision } from '../permission/decision.ts'
import type { World } from '../permission/world.ts'
import type { Middleware } from '../registry/registry.ts'
import { isA } from '../result/look.ts'
import { serialise, type Serialised } from '../result/serialise.ts'
import { checkReach } from './check-reach.ts'
import { withDefaults } from './defaults.ts'
import { failed } from './failed.ts'
import { mayRepeat } from './may-repeat.ts'
import { checkArguments } from './parameters.ts'
import { type Admitted, passThrough } from './pass-through.ts'
import type { Ask } from './question.ts'
import type { Progress, Tool } from './tool.ts'
import { ToolError, type ToolFailure } from './tool-error.ts'

/** A call that is to be run. */
export interface ToolCall extends PermissionCall {
  readonly id: string
}

export interface ExecuteOptions {
  /** By name. */
  readonly tools: ReadonlyMap<string, Tool>
  /** Arguments that a person set, by the tool's name: they count where a call says nothing. */
  readonly presets?: ReadonlyMap<string, Readonly<Record<string, unknown>>>
  /** What a call that may run passes through, the first outermost. */
  readonly middleware?: readonly Middleware[]
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
  | ({ readonly status: 'success'; readonly result: unknown } & Serialised)
  | { readonly status: 'error'; readonly failure: ToolFailure }

/** Runs a call: its arguments are checked, it is decided on, a person is asked where that is needed. It never throws. */
export async function execute(call: ToolCall, options: ExecuteOptions): Promise<Outcome> {
  const { middleware = [], signal = new AbortController().signal, run } = options
  const admit = (each: ToolCall): Promise<Admitted | Outcome> => admitted(each, options)
  const first = await admit(call)
  if ('status' in first) return first
  if (middleware.length === 0) return first.run()
  return passThrough(call, first, { middleware, admit, signal, run })
}

async function admitted(call: ToolCall, options: ExecuteOptions): Promise<Admitted | Outcome> {
  const name = toolNamed(call.name, options.permissions.tools) ?? call.name
  const found = options.tools.get(name)
  if (!found) return failed(call.name, unknown(call.name, options.tools))
  try {
    const { args, paths } = await prepare(call, found, options)
    return { tool: found, run: () => finish(call, found, args, paths, options) }
  } catch (error) {
    return failed(found.name, error)
  }
}

async function finish(
  call: ToolCall,
  found: Tool,
  args: Record<string, unknown>,
  paths: readonly string[],
  options: ExecuteOptions,
): Promise<Outcome> {
  try {
    const result = await runTool(found, args, paths, call, options)
    const text = found.show?.(result, args)
    const shown = text === undefined ? await asText(result, options.signal) : { text }
    return { status: 'success', result, ...shown }
  } catch (error) {
    // Whatever a tool throws is something the model is told.
    return failed(found.name, error)
  }
}

/** What a call that may run is run with; throws a ToolError where it may not. */
async function prepare(
  call: ToolCall,
  found: Tool,
  { permissions, world, approve, presets }: ExecuteOptions,
): Promise<{ args: Record<string, unknown>; paths: readonly string[] }> {
  const own = ownArguments(call)
  if (typeof own === 'string') throw new ToolError('invalid_input', own)
  const given = withDefaults(found.parameters, presets?.get(found.name), own)
  const checked = await checkArguments(found.parameters, given)
  if ('problems' in checked) {
    throw new ToolError('invalid_input', `${found.name}: ${checked.problems.join('; ')}`, {
      code: 'invalid_arguments',
      problems: checked.problems,
    })
  }
  checkReach(found, given, checked.args)
  const doubt = permissions.doubt ?? found.doubt?.()
  const decision = decide(
    { ...call, name: found.name, args: given },
    { ...permissions, ...(doubt !== undefined && { doubt }) },
    world,
  )
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
    if (!mayRepeat(found)) await begin?.()
    return await found.execute(args, {
      signal: stop,
      call: call.id,
      ...(paths.length > 0 && { paths }),
      ...(run !== undefined && { run }),
      ...(ask && { ask }),
      progress: (update) => onProgress?.(update),
    })
  } catch (error) {
    if (!stop.aborted || isA(error, ToolError)) throw error
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

function asText(result: unknown, signal: AbortSignal | undefined): Promise<Serialised> {
  return serialise(result, MOST_TAKEN, signal && { signal })
}

/** What is taken of a result, in characters; less is kept, and the model is told less at once. */
const MOST_TAKEN = 4 << 20
