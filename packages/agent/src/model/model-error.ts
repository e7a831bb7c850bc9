/** The reason why a model did not reply. */
export type ModelProblem =
  | 'unreachable' // The connection failed: nothing is listening, the host is unknown, or TLS failed.
  | 'rate_limited' // 429
  | 'unavailable' // 500, 502, 503, 529
  | 'refused' // Statuses such as 400, 401, 403 and 404: a retry does not help.
  | 'cut_off' // The connection broke before the end of the reply.
  | 'idle' // No data arrived for too long.
  | 'timeout' // The whole reply took too long.
  | 'garbled' // The reply is invalid: HTML, broken JSON, or events out of order.
  | 'too_long' // The reply exceeds the maximum length.
  | 'context_overflow' // The messages exceed the context window.

/**
 * A model did not reply. The message is for people: it explains the problem and gives advice.
 * Neither it nor `cause` may contain a key; errors of a transport may contain headers, so never use
 * one as the cause.
 */
export class ModelError extends Error {
  readonly problem: ModelProblem
  /** The HTTP status, if the server responded. */
  readonly status: number | undefined
  /** The delay before a retry requested by the server, in milliseconds. */
  readonly retryAfter: number | undefined
  /** The error code of the system, such as ECONNREFUSED. */
  readonly code: string | undefined
  /** A retry would fail again, even if problems of this kind are usually temporary. */
  readonly isLasting: boolean

  constructor(
    problem: ModelProblem,
    message: string,
    options: ErrorOptions & {
      readonly status?: number | undefined
      readonly retryAfter?: number | undefined
      readonly code?: string | undefined
      readonly isLasting?: boolean
    } = {},
  ) {
    super(message, options)
    this.name = 'ModelError'
    this.problem = problem
    this.status = options.status
    this.retryAfter = options.retryAfter
    this.code = options.code
    this.isLasting = options.isLasting ?? false
  }

  /** True if a retry may help. */
  get isTransient(): boolean {
    return TRANSIENT.has(this.problem) && !this.isLasting
  }
}

const TRANSIENT: ReadonlySet<ModelProblem> = new Set([
  'unreachable',
  'rate_limited',
  'unavailable',
  'cut_off',
  'idle',
  'garbled',
])
