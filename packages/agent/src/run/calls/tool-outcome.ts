import { isStream, serialize, type Serialized } from '../../result/serialize.ts'
import type { ExecuteResult } from '../../tool/execute.ts'
import type { ToolFailure } from '../../tool/tool-error.ts'

/** The outcome of a call, as recorded in the journal: plain data. */
export interface ToolOutcome {
  /** `cancelled`: it did not start, or is read-only. `unknown`: it started, and it is unknown whether it finished. */
  readonly status: 'success' | 'error' | 'denied' | 'cancelled' | 'timeout' | 'unknown'
  /** The result or the error message, as text. */
  readonly text: string
  readonly failure?: ToolFailure
  /** The result as data for programs; missing if it is large or not plain data. */
  readonly data?: unknown
  /** In milliseconds. */
  readonly duration: number
  /** `text` is only the beginning of the result. */
  readonly truncated?: true
  /** The length of the whole text in characters, if `text` is truncated and the length is known. */
  readonly size?: number
}

/** Converts the result of `execute` to the outcome that is recorded. */
export async function toOutcome(executed: ExecuteResult, duration: number): Promise<ToolOutcome> {
  if (executed.status === 'error') {
    const { failure } = executed
    return { status: statusOf(failure), text: failure.message, failure, duration }
  }
  const data = await plainData(executed.result)
  return {
    status: 'success',
    ...keepStart(executed),
    ...(data !== undefined && { data }),
    duration,
  }
}

function keepStart({ text, truncated, size = text.length }: Serialized): Serialized {
  if (text.length <= MAX_KEPT) return { text, ...(truncated && { truncated, size }) }
  return { text: text.slice(0, MAX_KEPT), truncated: true, size }
}

/** How much of a result is recorded, in characters. */
const MAX_KEPT = 1 << 20

/** A result as data, if it is small and plain. */
async function plainData(value: unknown): Promise<unknown> {
  if (typeof value !== 'object' || value === null || isStream(value)) return undefined
  const { text, truncated } = await serialize(value, MAX_DATA)
  try {
    return truncated ? undefined : (JSON.parse(text) as unknown)
  } catch {
    // It has a text form only, such as the output of an iterator.
    return undefined
  }
}

const MAX_DATA = 64 << 10

function statusOf({ error_type, details }: ToolFailure): ToolOutcome['status'] {
  if (details?.['code'] === 'cancelled') return 'cancelled'
  if (details?.['code'] === 'interrupted') return 'unknown'
  if (error_type === 'permission_denied') return 'denied'
  return error_type === 'timeout' ? 'timeout' : 'error'
}
