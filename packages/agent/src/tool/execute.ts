import type {
  ResultChecks,
  DecisionPart,
  PermissionCall,
  Permissions,
  FileSystemView,
} from '@toolglot/permissions'
import { checksOf, nearest, ownArguments } from '@toolglot/permissions/internal'
import type { Middleware } from '../registry/registry.ts'
import type { Serialised } from '../result/serialise.ts'
import { checkUnchanged } from './check-unchanged.ts'
import { applyDefaults } from './apply-defaults.ts'
import { failureResult } from './failure-result.ts'
import { type FoundTool, findTool } from './find-tool.ts'
import { checkArguments } from './check-arguments.ts'
import { type AdmittedCall, runMiddleware } from './run-middleware.ts'
import { type ApprovalQuestion, requirePermission } from './require-permission.ts'
import type { Ask } from './question.ts'
import { timeLimit } from '../time/time-limit.ts'
import { gracePeriod, interrupted, mayChange, runTool, timeoutOf } from './run-tool.ts'
import { printResult } from './print-result.ts'
import type { ToolProgress, Tool } from './tool.ts'
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
  readonly fileSystem: FileSystemView
  readonly signal?: AbortSignal
  readonly run?: string
  readonly onProgress?: (update: ToolProgress) => void
  /** Puts a tool's own questions to a person. */
  readonly ask?: Ask
  /** Called before a tool that may change something is run: if it fails, the tool is not. */
  readonly begin?: () => Promise<void>
  /** Asks a person; without it there is nobody to ask. */
  readonly approve?: (
    asked: ApprovalQuestion,
  ) => Promise<{ readonly verdict: 'allow' | 'deny'; readonly reason?: string }>
  /** In milliseconds: how long a tool may take that does not say so itself, and waits for nobody. */
  readonly toolTimeout?: number
}

/** What became of a call. */
export type ExecuteResult =
  | ({ readonly status: 'success'; readonly result: unknown } & Serialised)
  | { readonly status: 'error'; readonly failure: ToolFailure }

/** Runs a call: its arguments are checked, it is decided on, a person is asked where that is needed. It never throws. */
export async function execute(call: ToolCall, options: ExecuteOptions): Promise<ExecuteResult> {
  const { middleware = [], signal = new AbortController().signal, run } = options
  const admit = (each: ToolCall): Promise<AdmittedCall | ExecuteResult> => admitted(each, options)
  const first = await admit(call)
  if ('status' in first) return first
  if (middleware.length === 0) return first.run()
  return runMiddleware(call, first, { middleware, admit, signal, run })
}

async function admitted(
  call: ToolCall,
  options: ExecuteOptions,
): Promise<AdmittedCall | ExecuteResult> {
  const found = findTool(call.name, options.tools, options.permissions.tools)
  if (!found) return failureResult(call.name, unknown(call.name, options.tools))
  try {
    const ready = await prepare(call, found, options)
    return { tool: found.tool, run: () => finish(call, found, ready, options) }
  } catch (error) {
    return failureResult(call.name, error)
  }
}

/** What a call is run with. */
export interface PreparedCall {
  readonly args: Record<string, unknown>
  readonly paths: readonly string[]
  readonly checks: ResultChecks
}

async function finish(
  call: ToolCall,
  { tool, alias }: FoundTool,
  ready: PreparedCall,
  options: ExecuteOptions,
): Promise<ExecuteResult> {
  try {
    const result = await runTool(tool, ready, call, options)
    const shown = await readResult(call, tool, result, ready, options)
    if (!alias?.fromTool) return { status: 'success', result, ...shown }
    const own = alias.fromTool(result, shown.text)
    return { status: 'success', result: own, text: JSON.stringify(own) }
  } catch (error) {
    // Whatever a tool throws is something the model is told.
    return failureResult(call.name, error)
  }
}

/**
 * What the model reads of a result, which may still be coming: what a tool gives after it was stopped is read too, for as long
 * as it has to end. Where a tool that may change something does not, how far it came is not known.
 */
async function readResult(
  call: ToolCall,
  tool: Tool,
  result: unknown,
  { args }: PreparedCall,
  { signal, toolTimeout }: ExecuteOptions,
): Promise<Serialised> {
  const time = timeoutOf(tool, toolTimeout)
  const limit = timeLimit(time, signal)
  const last = mayChange(tool) || limit.signal.aborted ? gracePeriod(limit.signal) : limit
  try {
    const shown = await printResult(tool, result, args, last.signal)
    if (mayChange(tool) && shown.truncated && last.signal.aborted)
      throw interrupted(call.name, signal?.aborted ? undefined : time)
    return shown
  } finally {
    last.end()
    limit.end()
  }
}

/** What a call that may run is run with; throws a ToolError where it may not. */
async function prepare(call: ToolCall, found: FoundTool, options: ExecuteOptions): Promise<PreparedCall> {
  const { name, tool } = found
  const written = ownArguments(call.args, found, options.permissions)
  if (typeof written === 'string') throw new ToolError('invalid_input', written)
  const given = applyDefaults(tool.parameters, options.presets?.get(name), written)
  const checked = await checkArguments(tool.parameters, given)
  if ('problems' in checked) throw await wrongArguments(call, found, checked.problems)
  checkUnchanged(tool, given, checked.args)
  const { parts } = await requirePermission(call, found, given, options)
  const { permissions, fileSystem } = options
  return {
    args: checked.args,
    paths: pathsOf(parts),
    checks: checksOf({ name, parts }, permissions.rules, fileSystem),
  }
}

/** In the words of the name that was called, where it has its own. */
async function wrongArguments(
  { name, args }: ToolCall,
  { name: tool, alias }: FoundTool,
  problems: readonly string[],
): Promise<ToolError> {
  const own = alias?.parameters && (await checkArguments(alias.parameters, args))
  const said =
    own && 'problems' in own ? { tool: name, problems: own.problems } : { tool, problems }
  return new ToolError('invalid_input', `${said.tool}: ${said.problems.join('; ')}`, {
    code: 'invalid_arguments',
    problems: said.problems,
  })
}

/** Where the paths among the arguments lead, as it was decided on: what is swapped in since is not opened. */
function pathsOf(parts: readonly DecisionPart[]): readonly string[] {
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
    { code: 'unknown_tool' },
  )
}
