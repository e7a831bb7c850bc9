/** The kind of a failure. `details.code` is more specific. */
export type ErrorType =
  | 'permission_denied'
  | 'not_found'
  | 'timeout'
  | 'invalid_input'
  | 'execution_failed'

/** An error of a tool, with a message that the model can act on. */
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

/** A failure in the form reported to the model. */
export interface ToolFailure {
  readonly tool: string
  readonly error_type: ErrorType
  readonly message: string
  readonly details?: Readonly<Record<string, unknown>>
}
