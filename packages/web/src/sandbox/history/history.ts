/** A call made in the sandbox, and its outcome. */
export interface PastRun {
  readonly id: string
  readonly tool: string
  readonly args: Readonly<Record<string, unknown>>
  readonly status: RunStatus
  /** The result or the error message. */
  readonly text: string
  /** The number of characters omitted from the text. */
  readonly cut: number
  readonly errorType?: string
  readonly exitCode: number | null
  /** In milliseconds. */
  readonly duration: number
  /** When it started. */
  readonly time: number
}

/** The outcome of a call. */
export type RunStatus = 'success' | 'error' | 'denied' | 'stopped'

const MAX_RUNS = 10
/** Older runs are removed: 30 days, in milliseconds. */
export const MAX_AGE = 30 * 24 * 60 * 60 * 1000
/** The maximum length of a stored result, in characters. */
export const MAX_TEXT = 20_000
/** The maximum length of stored arguments as JSON. Longer ones are not stored. */
const MAX_ARGUMENTS = 20_000

const STATUSES: readonly string[] = ['success', 'error', 'denied', 'stopped'] satisfies RunStatus[]

/**
 * The runs in a stored text. Invalid entries are skipped, since stored data may have been changed
 * by anyone.
 */
export function readHistory(stored: string | undefined, now: number): readonly PastRun[] {
  try {
    const value: unknown = JSON.parse(stored ?? '[]')
    if (!Array.isArray(value)) return []
    return value
      .filter(isPastRun)
      .filter(({ time }) => time > now - MAX_AGE)
      .slice(0, MAX_RUNS)
  } catch {
    return []
  }
}

function isPastRun(value: unknown): value is PastRun {
  if (typeof value !== 'object' || value === null) return false
  const { id, tool, args, status, text, cut, errorType, exitCode, duration, time } =
    value as Partial<Record<keyof PastRun, unknown>>
  return (
    typeof id === 'string' &&
    typeof tool === 'string' &&
    tool.length <= 256 &&
    typeof args === 'object' &&
    args !== null &&
    !Array.isArray(args) &&
    typeof status === 'string' &&
    STATUSES.includes(status) &&
    typeof text === 'string' &&
    text.length <= MAX_TEXT &&
    (errorType === undefined || typeof errorType === 'string') &&
    (exitCode === null || Number.isInteger(exitCode)) &&
    [cut, duration, time].every((each) => Number.isFinite(each) && (each as number) >= 0) &&
    (time as number) <= MAX_TIME
  )
}

/** The latest possible date. */
const MAX_TIME = 8.64e15

/** The runs with a new one at the front, as they are stored. */
export function withRun(runs: readonly PastRun[], run: PastRun): readonly PastRun[] {
  const size = JSON.stringify(run.args).length
  const kept: PastRun = {
    ...run,
    text: run.text.slice(0, MAX_TEXT),
    cut: run.cut + Math.max(0, run.text.length - MAX_TEXT),
  }
  if (size > MAX_ARGUMENTS) return runs
  return [kept, ...runs.filter(({ id }) => id !== run.id)].slice(0, MAX_RUNS)
}
