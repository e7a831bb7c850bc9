import type { AnyTool } from '@toolglot/agent'
import type { Schema } from '@toolglot/core'

/** The arguments of a call. The author of a handler knows their types. */
export type PTKArguments = Record<string, any> // oxlint-disable-line typescript/no-explicit-any

/** Like `PTKArguments`, for a handler that declares its arguments. */
export type PTKHandlerArguments = any // oxlint-disable-line typescript/no-explicit-any

/** A parameter of a tool, as JSON Schema. */
export type PTKParameter = Schema

/** A tool with the function that runs it. */
export interface PTKTool extends Pick<
  AnyTool,
  'name' | 'description' | 'dangerous' | 'readOnly' | 'idempotent' | 'repeatable' | 'timeout'
> {
  parameters: {
    type: 'object'
    properties: Record<string, PTKParameter>
    required?: readonly string[]
  }
  handler: (args: PTKHandlerArguments, signal: AbortSignal) => unknown
}

/** A call of a tool. */
export interface PTKToolCall {
  tool: string
  args: PTKArguments
  reasoning?: string
}

/** A model's reply: `content` for text, `toolCall` for a call. */
export interface PTKResponse {
  type: 'text' | 'tool_call'
  content?: string
  toolCall?: PTKToolCall
  /** The reply in the model's own words. */
  raw: string
}

/** The result of checking a call's form. */
export interface PTKValidation {
  valid: boolean
  error?: string
}

/** A message of a conversation. */
export interface PTKMessage {
  role: 'system' | 'user' | 'assistant' | 'tool'
  content: string
}

/** The result of a call. */
export interface PTKToolResult {
  success: boolean
  data: unknown
  error: string | null
}

/** A model's reply before any tool runs. */
export interface IterationInfo {
  /** The number of the iteration, starting at 1. */
  iteration: number
  type: PTKResponse['type']
  content: string | undefined
  toolCallsSoFar: number
}

/** The outcome of an iteration: an answer, or calls and their results. */
export interface PTKIterationResult {
  type: PTKResponse['type']
  content?: string
  toolCalls: PTKToolCall[]
  toolResults: PTKToolResult[]
  /** The conversation so far. */
  messages: PTKMessage[]
}

/** Options for executing a prompt. */
export interface PTKExecuteOptions {
  /**
   * The tools, or names of tools in the tool manager. Default: all tools that the tool manager
   * lists.
   */
  tools?: (PTKTool | AnyTool | string)[] | undefined
  /** The maximum number of calls by the model. Default: 10. */
  maxIterations?: number | undefined
  /** The maximum number of tool calls. Default: 20. */
  maxToolCalls?: number | undefined
  /** The total timeout in milliseconds. Default: none. */
  timeout?: number | undefined
  /** Called after each reply, before any tool runs. */
  onIteration?: ((info: IterationInfo) => void) | undefined
  /** Called before a tool runs. */
  onToolCall?: ((toolCall: PTKToolCall) => void) | undefined
  /**
   * Called when a tool fails, which does not end the execution, and with the error that ends it.
   */
  onError?: ((error: Error) => void) | undefined
  /** Called with a call that repeats an earlier one and does not run. */
  onDuplicateDetected?: ((toolCall: PTKToolCall) => void) | undefined
  model?: string | undefined
  temperature?: number | undefined
  /** Detect repeated calls. Default: true. */
  detectDuplicates?: boolean | undefined
  /** The number of recent calls to compare. Default: 3. */
  duplicateWindow?: number | undefined
  /**
   * The handling of a call that cannot be read or run: end the execution, report it to the model,
   * or treat it as text (only for a call that cannot be read). Default: `fail`.
   */
  onMalformed?: 'fail' | 'feedback' | 'text' | undefined
  signal?: AbortSignal | undefined
}

/** The result of an execution. */
export interface PTKExecuteResult {
  success: boolean
  /** The final answer, or an empty string if there is none. */
  content: string
  iterations: number
  messages: PTKMessage[]
  /** The calls that ran. */
  toolCalls: PTKToolCall[]
  totalToolCalls: number
  /** The reason why there is no answer. */
  error?: string
  errorCode?: PTKErrorCode
  /** An estimate, since an LLM manager returns only text. */
  totalTokens?: number
  totalCost?: number
  /** The duration, in milliseconds. */
  duration: number
}

/** A manager's defaults for missing options. */
export interface PTKManagerConfig {
  /** Default: 5. */
  defaultMaxIterations: number
  /** Default: 30,000 ms. */
  defaultTimeout: number
  /** Log iterations and calls to the console. Default: true. */
  enableLogging: boolean
  /** Run idempotent tools again after a transient error. Default: true. */
  retryFailedTools: boolean
  /** The maximum number of retries, up to 2. Default: 2. */
  maxToolRetries: number
}

/** The reason why an execution failed. */
export const PTKErrorCode = {
  TOOL_NOT_FOUND: 'TOOL_NOT_FOUND',
  INVALID_TOOL_CALL: 'INVALID_TOOL_CALL',
  MAX_ITERATIONS_REACHED: 'MAX_ITERATIONS_REACHED',
  MAX_TOOL_CALLS_REACHED: 'MAX_TOOL_CALLS_REACHED',
  TOOL_EXECUTION_FAILED: 'TOOL_EXECUTION_FAILED',
  LLM_CALL_FAILED: 'LLM_CALL_FAILED',
  PARSE_ERROR: 'PARSE_ERROR',
  DUPLICATE_TOOL_CALL: 'DUPLICATE_TOOL_CALL',
  /** The execution was cancelled, it exceeded `timeout`, or a callback threw. */
  ABORTED: 'ABORTED',
} as const
export type PTKErrorCode = (typeof PTKErrorCode)[keyof typeof PTKErrorCode]
/** Also makes each code a type, as in an enumeration. */
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

/** The error of a failed execution. */
export class PTKExecutionError extends Error {
  override readonly name = 'PTKExecutionError'
  readonly code: PTKErrorCode
  /** Details: a tool's failure, or `toolCalls` and `iteration` at the end of an execution. */
  readonly context: unknown

  constructor(message: string, code: PTKErrorCode, context?: unknown, options?: ErrorOptions) {
    super(message, options)
    this.code = code
    this.context = context
  }
}
