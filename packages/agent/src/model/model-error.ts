/** The reason why a model did not reply. */
export type ModelProblem =
  | 'unreachable' // no connection: nothing is listening, the host is unknown, TLS failed
  | 'rate_limited' // 429
  | 'unavailable' // 500, 502, 503, 529
  | 'refused' // 400, 401, 403, 404 …: retrying does not help
  | 'cut_off' // the connection broke before the reply ended
  | 'idle' // no data for too long
  | 'timeout' // the reply as a whole took too long
  | 'garbled' // not a valid reply: HTML, broken JSON, events out of order
  | 'too_long' // the reply exceeds the maximum length
  | 'context_overflow' // the messages do not fit into the context window

/**
 * A model did not reply. The message, for people, contains the problem and advice. It never contains a key, and `cause`
 * must not either: errors of a transport may contain headers.
 */
export class ModelError extends Error {
  readonly problem: ModelProblem
  /** The HTTP status, if there was a response. */
  readonly status: number | undefined
  /** The server's requested delay before a retry, in milliseconds. */
  readonly retryAfter: number | undefined
  /** The system's error code, such as ECONNREFUSED. */
  readonly code: string | undefined
  /** A retry would fail again, even if problems of this kind are usually transient. */
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

  /** Whether retrying may help. */
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
