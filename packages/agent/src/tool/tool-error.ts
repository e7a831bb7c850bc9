/** What kind of failure a tool reports; finer codes stand in `details.code`. */
export type ErrorType =
  | 'permission_denied'
  | 'not_found'
  | 'timeout'
  | 'invalid_input'
  | 'execution_failed'

/** What went wrong in a tool, in words that the model can act on. */
export class ToolError extends Error {
  readonly errorType: ErrorType
  readonly details: Readonly<Record<string, unknown>> | undefined

  constructor(
    errorType: ErrorType,
    message: string,
    details?: Readonly<Record<string, unknown>>,
    options?: ErrorOptions,
  ) {
    super(message, options)
    this.name = 'ToolError'
    this.errorType = errorType
    this.details = details
  }
}

/** A failure as the model is told of it. */
export interface ToolFailure {
  readonly tool: string
  readonly error_type: ErrorType
  readonly message: string
  readonly details?: Readonly<Record<string, unknown>>
}
