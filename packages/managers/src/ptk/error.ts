/** Why an execution failed. */
export const PTKErrorCode = {
  TOOL_NOT_FOUND: 'TOOL_NOT_FOUND',
  INVALID_TOOL_CALL: 'INVALID_TOOL_CALL',
  MAX_ITERATIONS_REACHED: 'MAX_ITERATIONS_REACHED',
  MAX_TOOL_CALLS_REACHED: 'MAX_TOOL_CALLS_REACHED',
  TOOL_EXECUTION_FAILED: 'TOOL_EXECUTION_FAILED',
  LLM_CALL_FAILED: 'LLM_CALL_FAILED',
  PARSE_ERROR: 'PARSE_ERROR',
  DUPLICATE_TOOL_CALL: 'DUPLICATE_TOOL_CALL',
  /** It was cancelled, took longer than `timeout`, or a callback threw. */
  ABORTED: 'ABORTED',
} as const
export type PTKErrorCode = (typeof PTKErrorCode)[keyof typeof PTKErrorCode]
/** So that each code is a type, too, as in an enumeration. */
export declare namespace PTKErrorCode {
  type TOOL_NOT_FOUND = 'TOOL_NOT_FOUND'
  type INVALID_TOOL_CALL = 'INVALID_TOOL_CALL'
  type MAX_ITERATIONS_REACHED = 'MAX_ITERATIONS_REACHED'
  type MAX_TOOL_CALLS_REACHED = 'MAX_TOOL_CALLS_REACHED'
  type TOOL_EXECUTION_FAILED = 'TOOL_EXECUTION_FAILED'
  type LLM_CALL_FAILED = 'LLM_CALL_FAILED'
  type PARSE_ERROR = 'PARSE_ERROR'
  type DUPLICATE_TOOL_CALL = 'DUPLICATE_TOOL_CALL'
  type ABORTED = 'ABORTED'
}

/** An execution failed. */
export class PTKExecutionError extends Error {
  override readonly name = 'PTKExecutionError'
  readonly code: PTKErrorCode
  /** What is known about it: the failure of a tool, or `toolCalls` and `iteration` of what ended an execution. */
  readonly context: unknown

  constructor(message: string, code: PTKErrorCode, context?: unknown, options?: ErrorOptions) {
    super(message, options)
    this.code = code
    this.context = context
  }
}
