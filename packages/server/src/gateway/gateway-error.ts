import type { ContextOverflow } from './api.ts'

/** The reason why a request was not answered, independent of the API. */
export class GatewayError extends Error {
  readonly status: number
  /** The code for programs, such as `model_not_found`. */
  readonly code: string
  /** The invalid parameter, such as `messages[2].content`. */
  readonly parameter: string | undefined
  /** The time to wait before trying again, in milliseconds. */
  readonly retryAfter: number | undefined
  /** The size of the request and the model's maximum, in tokens. */
  readonly overflow: ContextOverflow | undefined
  /** The message without any text from the request, the reply or the model's server. */
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
