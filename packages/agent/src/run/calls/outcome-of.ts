import { isStream, serialise, type Serialised } from '../../result/serialise.ts'
import type { ExecuteResult } from '../../tool/execute.ts'
import type { ToolFailure } from '../../tool/tool-error.ts'
import type { ToolOutcome } from './tool-outcome.ts'

/** What became of a call, as it is recorded. */
export async function toOutcome(outcome: ExecuteResult, duration: number): Promise<ToolOutcome> {
  if (outcome.status === 'error') {
    const { failure } = outcome
    return { status: statusOf(failure), text: failure.message, failure, duration }
  }
  const data = await plain(outcome.result)
  return {
    status: 'success',
    ...kept(outcome),
    ...(data !== undefined && { data }),
    duration,
  }
}

function kept({ text, truncated, size = text.length }: Serialised): Serialised {
  if (text.length <= MAX_KEPT) return { text, ...(truncated && { truncated, size }) }
  return { text: text.slice(0, MAX_KEPT), truncated: true, size }
}

/** The longest result that is kept, in characters. */
const MAX_KEPT = 1 << 20

/** What a program may want of a result: small plain data. */
async function plain(value: unknown): Promise<unknown> {
  if (typeof value !== 'object' || value === null || isStream(value)) return undefined
  const { text, truncated } = await serialise(value, MAX_DATA)
  try {
    return truncated ? undefined : (JSON.parse(text) as unknown)
  } catch {
    // What an iterator gave, or something else that is text only.
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
