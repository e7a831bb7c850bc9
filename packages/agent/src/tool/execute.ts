import { nearest } from '../nearest.ts'
import { type Named, ownArguments, type PermissionCall, toolNamed } from '../permission/call.ts'
import { approvalHash } from '../permission/approval.ts'
import { decide, type Permissions } from '../permission/decide.ts'
import type { Decision } from '../permission/decision.ts'
import type { World } from '../permission/world.ts'
import type { Middleware } from '../registry/registry.ts'
import { serialise, type Serialised } from '../result/serialise.ts'
import { checkReach } from './check-reach.ts'
import { withDefaults } from './defaults.ts'
import { failed } from './failed.ts'
import { checkArguments } from './parameters.ts'
import { type Admitted, passThrough } from './pass-through.ts'
import type { Ask } from './question.ts'
import { runTool } from './run-tool.ts'
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
  const named = toolNamed(call.name, options.permissions.tools) ?? { tool: call.name }
  const found = options.tools.get(named.tool)
  if (!found) return failed(call.name, unknown(call.name, options.tools))
  try {
    const { args, paths } = await prepare(call, named, found, options)
    return { tool: found, run: () => finish(call, named, found, args, paths, options) }
  } catch (error) {
    return failed(found.name, error)
  }
}

async function finish(
  call: ToolCall,
  { alias }: Named,
  found: Tool,
  args: Record<string, unknown>,
  paths: readonly string[],
  options: ExecuteOptions,
): Promise<Outcome> {
  try {
    const result = await runTool(found, args, paths, call, options)
    const text = found.show?.(result, args)
    const shown = text === undefined ? await asText(result, options.signal) : { text }
    if (!alias) return { status: 'success', result, ...shown }
    const own = alias.fromTool(result, shown.text)
    return { status: 'success', result: own, text: JSON.stringify(own) }
  } catch (error) {
    // Whatever a tool throws is something the model is told.
    return failed(found.name, error)
  }
}

/** What a call that may run is run with; throws a ToolError where it may not. */
async function prepare(
  call: ToolCall,
  named: Named,
  found: Tool,
  options: ExecuteOptions,
): Promise<{ args: Record<string, unknown>; paths: readonly string[] }> {
  const renamed = ownArguments(call.args, named, options.permissions)
  if (typeof renamed === 'string') throw new ToolError('invalid_input', renamed)
  const given = withDefaults(found.parameters, options.presets?.get(found.name), renamed)
  const checked = await checkArguments(found.parameters, given)
  if ('problems' in checked) throw await wrongArguments(call, named, checked.problems)
  checkReach(found, given, checked.args)
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
    const doubt = permissions.doubt ?? found.doubt?.()
    const doubted = doubt === undefined ? permissions : { ...permissions, doubt }
    const decision = decide(own, doubted, world)
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

function asText(result: unknown, signal: AbortSignal | undefined): Promise<Serialised> {
  return serialise(result, MOST_TAKEN, signal && { signal })
}

/** What is taken of a result, in characters; less is kept, and the model is told less at once. */
const MOST_TAKEN = 4 << 20
