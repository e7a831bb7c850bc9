import { type TimeLimit, timeLimit } from '../time/time-limit.ts'
import { isInstance, safeGet } from '../result/safe-access.ts'
import type { ExecuteOptions, PreparedCall, ToolCall } from './execute.ts'
import { mayChange, type Tool, type ToolContext } from './tool.ts'
import { reachableWith } from './network-answer.ts'
import { jsonCopy } from './data-copy.ts'
import { ToolError } from './tool-error.ts'
import { serialize, type Serialized } from '../result/serialize.ts'

/** The default timeout in milliseconds. */
const DEFAULT_TIMEOUT = 120_000
/**
 * The grace period of an aborted tool, in milliseconds. After that, the run stops waiting for it.
 */
const GRACE_PERIOD = 2000

/** The timeout of a tool. Undefined if it waits for a person. */
export function timeoutOf(
  { timeout, waits }: Tool,
  fallback: number = DEFAULT_TIMEOUT,
): number | undefined {
  return timeout ?? (waits ? undefined : fallback)
}

/**
 * Runs a tool, and aborts it when the caller aborts or the time is up. A result or error within the
 * grace period still counts, because the tool's work is finished. Later ones are passed to
 * `onStuck`.
 */
export async function runTool(
  tool: Tool,
  { args, original, paths, cwd, checks, network, checkCode }: PreparedCall,
  call: ToolCall,
  options: ExecuteOptions,
  onStuck: (ended: Promise<unknown>) => void,
): Promise<unknown> {
  const {
    signal,
    run,
    idempotencyKey,
    onProgress,
    ask,
    remember,
    begin,
    within = runs,
    toolTimeout,
  } = options
  const reachable = reachableWith(network, options.hosts)
  if (signal?.aborted) throw cancelled(call.name)
  await begin?.(tool)
  // Checked as late as possible, because recording the start and running middleware take time.
  await checkCode?.()
  if (signal?.aborted) throw cancelled(call.name)
  if (options.fileSystem.cwd !== cwd) throw moved(call.name, cwd, options.fileSystem.cwd)
  const timeout = timeoutOf(tool, toolTimeout)
  const limit = timeLimit(timeout, signal)
  const stop = limit.signal
  const context: ToolContext = {
    signal: stop,
    call: call.id,
    ...checks,
    original,
    ...(paths.length > 0 && { paths }),
    network: reachable,
    checkCode,
    run,
    idempotencyKey,
    ask,
    progress: (update) => {
      if (!stop.aborted) onProgress?.(update)
    },
    remember: remember && ((key, value) => remember(key, jsonCopy(value))),
  }
  const work = (async () => within(() => tool.execute(args, context)))()
  try {
    return await untilStuck(stop, work)
  } catch (error) {
    if (error === STUCK)
      onStuck(
        work.catch((late: unknown) => {
          throw explain(late)
        }),
      )
    throw explain(error)
  } finally {
    limit.end()
  }

  /** Explains an error caused by an abort. */
  function explain(error: unknown): unknown {
    if (!stop.aborted || !isAbort(error, stop)) return error
    const ranOut = stop.reason !== signal?.reason
    if (ranOut && error !== STUCK) return timedOut(call.name, timeout)
    return interrupted(tool, call.name, ranOut ? timeout : undefined)
  }
}

function runs<Value>(work: () => Value): Value {
  return work()
}

/** True if an error was caused by the abort. Other errors are failures of the tool. */
function isAbort(error: unknown, { reason }: AbortSignal): boolean {
  if (error === STUCK || error === reason) return true
  return (
    isInstance(error, Error) &&
    !isInstance(error, ToolError) &&
    ABORT_ERRORS.has(safeGet(error, 'name'))
  )
}

const ABORT_ERRORS: ReadonlySet<unknown> = new Set(['AbortError', 'TimeoutError'])

function cancelled(name: string): ToolError {
  return new ToolError('execution_failed', `${name} was cancelled.`, { code: 'cancelled' })
}

/**
 * Another call changed the current directory after the decision, so this call would have a
 * different effect.
 */
function moved(name: string, from: string, to: string): ToolError {
  return new ToolError(
    'permission_denied',
    `${name} was not run: the current directory was ${from} when it was permitted, and is ${to} now. Call it again.`,
    { code: 'changed_since_asked' },
  )
}

function timedOut(name: string, timeout: number | undefined): ToolError {
  return new ToolError('timeout', `${name} was stopped after ${timeout} ms.`)
}

/** The tool started, but its outcome is unknown. `timeout` is the time limit that was exceeded. */
export function interrupted(
  tool: Pick<Tool, 'access'>,
  name: string,
  timeout: number | undefined,
): ToolError {
  const type = timeout === undefined ? 'execution_failed' : 'timeout'
  return new ToolError(type, describeInterruption(tool, name, timeout), { code: 'interrupted' })
}

function describeInterruption(
  tool: Pick<Tool, 'access'>,
  name: string,
  timeout: number | undefined,
): string {
  if (mayChange(tool)) {
    const why =
      timeout === undefined
        ? 'it was stopped while it ran'
        : `it did not end when it was stopped after ${timeout} ms`
    return `It is unknown whether ${name} finished: ${why}. Check the current state before you continue.`
  }
  const when = timeout === undefined ? 'while it ran' : `after ${timeout} ms, and has not ended`
  return `${name} was stopped ${when}.${tool.access.readOnly ? ' It changes nothing.' : ''}`
}

const STUCK = new Error('It did not end.')

/**
 * Calls back when the grace period after an abort is over. Returns a function that cancels this.
 */
export function afterGrace(stop: AbortSignal, work: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const begin = (): void => {
    timer = setTimeout(work, GRACE_PERIOD)
  }
  if (stop.aborted) begin()
  else stop.addEventListener('abort', begin, { once: true })
  return () => {
    clearTimeout(timer)
    stop.removeEventListener('abort', begin)
  }
}

/**
 * Settles like the work, but rejects if the work has not ended when the grace period after an abort
 * is over.
 */
function untilStuck<Value>(stop: AbortSignal, work: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    const cancel = afterGrace(stop, () => reject(STUCK))
    work.then(resolve, reject).finally(cancel)
  })
}

/** A time limit that starts when a signal is aborted: the time for work to end after that. */
export function gracePeriod(stop: AbortSignal): TimeLimit {
  const controller = new AbortController()
  return { signal: controller.signal, end: afterGrace(stop, () => controller.abort(STUCK)) }
}

/** Prints a result for the model using the tool's `show`, or else as text or JSON. */
export async function printResult(
  tool: Pick<Tool, 'show'>,
  result: unknown,
  args: Record<string, unknown>,
  signal: AbortSignal,
): Promise<Serialized> {
  const text = tool.show?.(result, args)
  return serialize(text ?? result, MAX_READ, { signal })
}

/**
 * The maximum number of characters to read from a result. The recorded and displayed parts are
 * shorter.
 */
const MAX_READ = 4 << 20
