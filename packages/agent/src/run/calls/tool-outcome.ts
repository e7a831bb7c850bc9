import type { CallStatus } from '../../context/message.ts'
import { safeGet } from '../../result/safe-access.ts'
import { isStream, serialize, type Serialized } from '../../result/serialize.ts'
import type { ExecuteResult } from '../../tool/execute.ts'
import type { ToolFailure } from '../../tool/tool-error.ts'
import type { Todo } from '../../tool/tool.ts'

/** The outcome of a call as recorded in the journal. Plain data. */
export interface ToolOutcome {
  readonly status: CallStatus
  /** The result or the error message, as text. */
  readonly text: string
  readonly failure?: ToolFailure
  /** The result as data for programs. Missing if it is large or not plain data. */
  readonly data?: unknown
  /** The start of the tool in milliseconds since 1970, or null if it never started. */
  readonly started: number | null
  /** The time for which the tool ran, in milliseconds, excluding the wait for approval. */
  readonly duration: number
  /**
   * It is unknown how the tool ended, and it may have changed something, so a person should check.
   */
  readonly mayHaveChanged?: true
  /** The process died while the tool ran, and the tool has verified that its work was done. */
  readonly verified?: true
  /** The arguments passed to the tool, if they differ from the call's. */
  readonly args?: Readonly<Record<string, unknown>>
  /** The id of the earlier call that this call repeats. */
  readonly repeats?: string
  /** The list of tasks written by the call. */
  readonly todos?: readonly Todo[]
  /** State that tools need after a restart, by key. */
  readonly remembered?: Readonly<Record<string, unknown>>
  /** `text` contains only the beginning of the result. */
  readonly truncated?: true
  /** The length of the whole text in characters, if `text` is truncated and the length is known. */
  readonly size?: number
}

/** The times of a call whose tool never started. */
export const NEVER_BEGAN = { started: null, duration: 0 } as const

/** Converts the result of `execute` to the recorded outcome. */
export async function toOutcome(
  executed: ExecuteResult,
  time: Pick<ToolOutcome, 'started' | 'duration'>,
): Promise<ToolOutcome> {
  if (executed.status === 'error') {
    const { failure } = executed
    return { status: statusOf(failure), text: failure.message, failure, ...time }
  }
  const { result } = executed
  const all = await plainData(result)
  // Keep warnings for the user even if the rest is too large.
  const data = all === undefined ? await plainData(warningsOf(result)) : all
  return {
    status: 'success',
    ...keepStart(executed),
    ...(data !== undefined && { data }),
    ...time,
  }
}

function keepStart({ text, truncated, size = text.length }: Serialized): Serialized {
  if (text.length <= MAX_KEPT) return { text, ...(truncated && { truncated, size }) }
  return { text: text.slice(0, MAX_KEPT), truncated: true, size }
}

/** The maximum length of a recorded result, in characters. */
const MAX_KEPT = 1 << 20

/** The result as data, if it is small and plain. */
async function plainData(value: unknown): Promise<unknown> {
  if (value === undefined || typeof value === 'string') return undefined
  if (typeof value === 'object' && value !== null && isStream(value)) return undefined
  const { text, truncated } = await serialize(value, MAX_DATA)
  try {
    return truncated ? undefined : (JSON.parse(text) as unknown)
  } catch {
    // There is only a text form, as for the output of an iterator.
    return undefined
  }
}

const MAX_DATA = 64 << 10

function warningsOf(result: unknown): unknown {
  const warnings = safeGet(Object(result) as object, 'warnings')
  return Array.isArray(warnings) ? { warnings: warnings as unknown[] } : undefined
}

function statusOf({ error_type, details }: ToolFailure): ToolOutcome['status'] {
  if (details?.['code'] === 'cancelled') return 'cancelled'
  if (details?.['code'] === 'interrupted') return 'unknown'
  if (error_type === 'permission_denied') return 'denied'
  return error_type === 'timeout' ? 'timeout' : 'error'
}

/**
 * The outcome of a turn's calls that did not run, recorded once for all of them: there were too
 * many, or no calls were allowed.
 */
export interface NotRun extends Pick<ToolOutcome, 'status' | 'text'> {
  /** The index of the first of the calls. */
  readonly from: number
}
