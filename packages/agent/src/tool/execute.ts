import type {
  Decision,
  DecisionPart,
  FileSystemView,
  PermissionCall,
  Permissions,
  ResultChecks,
} from '@toolglot/permissions'
import { unknownName } from '@toolglot/permissions/errors/internal'
import { checksOf, toolArguments } from '@toolglot/permissions/internal'
import type { Middleware } from '../registry/registry.ts'
import type { Serialized } from '../result/serialize.ts'
import { checkUnchanged, applyDefaults, checkArguments } from './check-arguments.ts'
import { failureResult } from './failure-result.ts'
import { type FoundTool, findTool } from './alias-tools.ts'
import { frozenCopy } from './data-copy.ts'
import { type AdmittedCall, runMiddleware, isTransparent } from './run-middleware.ts'
import { type ApprovalQuestion, requirePermission } from './require-permission.ts'
import type { Ask } from './question.ts'
import { timeLimit } from '../time/time-limit.ts'
import { mayChange, type Tool, type ToolProgress } from './tool.ts'
import { gracePeriod, interrupted, runTool, timeoutOf, printResult } from './run-tool.ts'
import type { NetworkAnswer } from './network-answer.ts'
import { ToolError, type ToolFailure } from './tool-error.ts'

/** A call to run. */
export interface ToolCall extends PermissionCall {
  readonly id: string
}

/** Options for `execute`. */
export interface ExecuteOptions {
  /** Tools by name. */
  readonly tools: ReadonlyMap<string, Tool>
  /** Preset arguments by tool name. They apply to arguments that a call omits. */
  readonly presets?: ReadonlyMap<string, Readonly<Record<string, unknown>>> | undefined
  /** Middleware around each permitted call, outermost first. */
  readonly middleware?: readonly Middleware[] | undefined
  readonly permissions: Permissions
  readonly fileSystem: FileSystemView
  readonly signal?: AbortSignal | undefined
  readonly run?: string | undefined
  /** Identifies the call in every process and every attempt. Undefined outside of a run. */
  readonly idempotencyKey?: string | undefined
  readonly onProgress?: ((update: ToolProgress) => void) | undefined
  /** Asks a person the questions of a tool. */
  readonly ask?: Ask | undefined
  /** Called each time before a tool runs. If it rejects, the tool does not run. */
  readonly begin?: ((tool: Tool) => Promise<void>) | undefined
  /** Runs the tool, for example in another async context. Returns the result of the work. */
  readonly within?: (<Value>(work: () => Value) => Value) | undefined
  /**
   * Called with the result of a stopped tool that ends after the grace period. If middleware might
   * have changed or hidden the result, it contains only success or failure.
   */
  readonly onLate?: ((result: ExecuteResult) => void) | undefined
  /** Called with a copy of the data remembered by a tool, as JSON. */
  readonly remember?: ((key: string, value: unknown) => void) | undefined
  /** Requests approval from a person. Without it, calls that need approval are denied. */
  readonly approve?:
    | ((question: ApprovalQuestion) => Promise<{
        readonly verdict: 'allow' | 'deny'
        readonly reason?: string
        readonly network?: NetworkAnswer
      }>)
    | undefined
  /** Hosts that all calls can reach, in addition to the hosts that a person allows for a call. */
  readonly hosts?: readonly string[] | undefined
  /** The timeout in milliseconds for tools without their own, unless they wait for a person. */
  readonly toolTimeout?: number | undefined
}

/** The result or failure of a call. */
export type ExecuteResult =
  | ({ readonly status: 'success'; readonly result: unknown } & Serialized)
  | { readonly status: 'error'; readonly failure: ToolFailure }

/**
 * Checks the arguments of a call, decides if it may run, requests approval if necessary, and runs
 * it. Never throws.
 */
export async function execute(call: ToolCall, options: ExecuteOptions): Promise<ExecuteResult> {
  const { middleware = [], signal = new AbortController().signal, run, onLate } = options
  let late: Promise<ExecuteResult> | undefined
  const onStuck = (ended: Promise<ExecuteResult>): void => void (late = ended)
  const admit = (each: ToolCall): Promise<AdmittedCall | ExecuteResult> =>
    admitCall(each, options, onStuck)
  const first = await admit(call)
  if ('status' in first) return first
  const result =
    middleware.length === 0
      ? await first.run()
      : await runMiddleware(call, first, { middleware, admit, signal, run })
  // Middleware may have retried the call or answered it itself.
  if (late && isInterrupted(result))
    void late.then((ended) => {
      if (!isInterrupted(ended))
        onLate?.(middleware.every(isTransparent) ? ended : withoutValue(call, ended))
    })
  return result
}

function isInterrupted(result: ExecuteResult): boolean {
  return result.status === 'error' && result.failure.details?.['code'] === 'interrupted'
}

/** The end of a tool without its result or error. */
function withoutValue({ name }: ToolCall, { status }: ExecuteResult): ExecuteResult {
  const rest = 'It was too late for the middleware, so the result is not shown.'
  if (status === 'success')
    return { status, result: undefined, text: `${name} finished after all. ${rest}` }
  const message = `${name} failed after it was stopped. ${rest}`
  return failureResult(name, new ToolError('execution_failed', message, { code: 'late' }))
}

async function admitCall(
  call: ToolCall,
  options: ExecuteOptions,
  onStuck: (ended: Promise<ExecuteResult>) => void,
): Promise<AdmittedCall | ExecuteResult> {
  const found = findTool(call.name, options.tools, options.permissions.tools)
  if (!found) return failureResult(call.name, unknownTool(call.name, options.tools))
  try {
    const ready = await prepare(call, found, options)
    return {
      tool: found.tool,
      args: ready.given,
      run: () => runPrepared(call, found, ready, options, onStuck),
    }
  } catch (error) {
    return failureResult(call.name, error)
  }
}

/** A permitted call with its checked arguments and its access. */
export interface PreparedCall {
  /** The checked arguments, including the shell text to run. */
  readonly args: Record<string, unknown>
  /** The call's own shell text, if different text runs. */
  readonly original?: string
  /** The unchecked arguments with presets and defaults, for middleware. */
  readonly given: Readonly<Record<string, unknown>>
  readonly paths: readonly string[]
  /** The current directory at the time of the decision. */
  readonly cwd: string
  readonly checks: ResultChecks
  readonly network?: NetworkAnswer
  readonly checkCode?: () => Promise<void>
}

async function runPrepared(
  call: ToolCall,
  found: FoundTool,
  ready: PreparedCall,
  options: ExecuteOptions,
  onStuck: (ended: Promise<ExecuteResult>) => void,
): Promise<ExecuteResult> {
  return toResult(runTool(found.tool, ready, call, options, (work) => onStuck(toResult(work))))

  async function toResult(work: Promise<unknown>): Promise<ExecuteResult> {
    try {
      return await toSuccess(call, found, await work, ready.args, options)
    } catch (error) {
      // Errors of a tool are passed to the model.
      return failureResult(call.name, error)
    }
  }
}

/** Converts the return value of a tool to the result of its call. */
export async function toSuccess(
  call: ToolCall,
  { tool, alias }: FoundTool,
  result: unknown,
  args: Record<string, unknown>,
  options: ExecuteOptions,
): Promise<ExecuteResult> {
  const printed = await readResult(call, tool, result, args, options)
  if (!alias?.fromTool) return { status: 'success', result, ...printed }
  const aliasResult = alias.fromTool(result, printed.text)
  return { status: 'success', result: aliasResult, text: JSON.stringify(aliasResult) }
}

/**
 * Prints a result for the model. A streamed result may still be in progress: after an abort, it is
 * read until the grace period ends. If a tool that may change something has not finished by then,
 * its outcome is unknown.
 */
async function readResult(
  call: ToolCall,
  tool: Tool,
  result: unknown,
  args: Record<string, unknown>,
  { signal, toolTimeout }: ExecuteOptions,
): Promise<Serialized> {
  // Text is available immediately, so no time limit is needed.
  if (typeof result === 'string')
    return printResult(tool, result, args, new AbortController().signal)
  const time = timeoutOf(tool, toolTimeout)
  const limit = timeLimit(time, signal)
  const last = mayChange(tool) || limit.signal.aborted ? gracePeriod(limit.signal) : limit
  try {
    const printed = await printResult(tool, result, args, last.signal)
    if (mayChange(tool) && printed.truncated && last.signal.aborted)
      throw interrupted(tool, call.name, signal?.aborted ? undefined : time)
    return printed
  } finally {
    last.end()
    limit.end()
  }
}

/** Checks a call. Throws a ToolError if it is not allowed to run. */
async function prepare(
  call: ToolCall,
  found: FoundTool,
  options: ExecuteOptions,
): Promise<PreparedCall> {
  const { name } = found
  const { given, args } = await checkedArguments(call, found, options)
  const { decision, ...permission } = await requirePermission(call, found, given, options)
  const { parts } = decision
  const { permissions, fileSystem } = options
  return {
    ...withPrintedText(args, found, decision),
    given: options.middleware?.length ? (frozenCopy(given) as PreparedCall['given']) : given,
    paths: pathsOf(parts),
    ...permission,
    checks: checksOf({ name, parts }, permissions.rules, fileSystem),
  }
}

/** The arguments of a call before and after the check. Throws a ToolError if they are invalid. */
export async function checkedArguments(
  call: ToolCall,
  found: FoundTool,
  { permissions, presets }: Pick<ExecuteOptions, 'permissions' | 'presets'>,
): Promise<Pick<PreparedCall, 'given' | 'args'>> {
  const { name, tool } = found
  const written = toolArguments(call.args, found, permissions)
  if (typeof written === 'string') throw new ToolError('invalid_input', written)
  const given = applyDefaults(tool.parameters, presets?.get(name), written)
  const checked = await checkArguments(tool.parameters, given)
  if ('problems' in checked) throw await invalidArguments(call, found, checked.problems)
  checkUnchanged(tool, given, checked.args)
  return { given, args: checked.args }
}

/** Replaces the shell text in the arguments with the text to run. */
function withPrintedText(
  args: Record<string, unknown>,
  { access }: FoundTool,
  { runs }: Decision,
): Pick<PreparedCall, 'args' | 'original'> {
  if (runs === undefined || access.runs === undefined) return { args }
  return { args: { ...args, [access.runs]: runs }, original: String(args[access.runs]) }
}

/** Describes the problems in terms of the alias's own parameters, if it has any. */
async function invalidArguments(
  { name, args }: ToolCall,
  { name: tool, alias }: FoundTool,
  problems: readonly string[],
): Promise<ToolError> {
  const own = alias?.parameters && (await checkArguments(alias.parameters, args))
  const described =
    own && 'problems' in own ? { tool: name, problems: own.problems } : { tool, problems }
  return new ToolError('invalid_input', `${described.tool}: ${described.problems.join('; ')}`, {
    code: 'invalid_arguments',
    problems: described.problems,
  })
}

/** The real paths covered by the decision, so that a file swapped in later is not opened. */
function pathsOf(parts: readonly DecisionPart[]): readonly string[] {
  return parts.flatMap(({ subject, real }) =>
    real !== undefined && subject && 'tool' in subject ? [real] : [],
  )
}

function unknownTool(name: string, tools: ReadonlyMap<string, Tool>): ToolError {
  return new ToolError('not_found', unknownName('tool', name, [...tools.keys()]), {
    code: 'unknown_tool',
  })
}
