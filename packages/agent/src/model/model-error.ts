/** What kept a model from replying. */
export type ModelProblem =
  | 'unreachable' // no connection: nothing listens, the name is unknown, TLS fails
  | 'rate_limited' // 429
  | 'unavailable' // 500, 502, 503, 529
  | 'refused' // 400, 401, 403, 404 …: asking again is no use
  | 'cut_off' // the connection broke before the reply was over
  | 'idle' // no byte for too long
  | 'timeout' // the reply as a whole took too long
  | 'garbled' // what came is no reply: HTML, broken JSON, events out of order
  | 'too_long' // the reply is longer than is read
  | 'context_overflow' // the messages are more than the model can see

/**
 * A model did not reply. The message tells a person what happened and what to do. It never holds a key, and neither may a
 * cause: what a transport throws may hold headers.
 */
export class ModelError extends Error {
  readonly problem: ModelProblem
  /** The HTTP status, where there was one. */
  readonly status: number | undefined
  /** How long the server asked to wait, in milliseconds. */
  readonly retryAfter: number | undefined
  /** What the system calls it, such as ECONNREFUSED, where it has a name. */
  readonly code: string | undefined

  constructor(
    problem: ModelProblem,
    message: string,
    options: ErrorOptions & {
      readonly status?: number | undefined
      readonly retryAfter?: number | undefined
      readonly code?: string | undefined
    } = {},
  ) {
    super(message, options)
    this.name = 'ModelError'
    this.problem = problem
    this.status = options.status
    this.retryAfter = options.retryAfter
    this.code = options.code
  }

  /** Whether asking again may help. */
  get isTransient(): boolean {
    return TRANSIENT.has(this.problem)
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
