import type { ContextOverflow } from './api.ts'

/** Why a request was not answered, in words that every API can write in its own shape. */
export class GatewayError extends Error {
  readonly status: number
  /** For programs, such as `model_not_found`. */
  readonly code: string
  /** The parameter that is wrong, such as `messages[2].content`. */
  readonly parameter: string | undefined
  /** How long to wait before asking again, in milliseconds. */
  readonly retryAfter: number | undefined
  /** How many tokens a request has, and how many the model can take. */
  readonly overflow: ContextOverflow | undefined
  /** The message without any text of the request, the reply or the model's server. */
  readonly summary: string | undefined

  constructor(
    status: number,
    code: string,
    message: string,
    options: ErrorOptions & {
      readonly parameter?: string | undefined
      readonly retryAfter?: number | undefined
      readonly summary?: string | undefined
      readonly overflow?: ContextOverflow | undefined
    } = {},
  ) {
    super(message, options)
    this.name = 'GatewayError'
    this.status = status
    this.code = code
    this.parameter = options.parameter
    this.retryAfter = options.retryAfter
    this.summary = options.summary
    this.overflow = options.overflow
  }
}
