import type { AnyTool } from '@toolglot/agent'
import type { Schema } from '@toolglot/core'

/** The arguments of a call. Whoever writes a handler knows their types. */
export type PTKArguments = Record<string, any> // oxlint-disable-line typescript/no-explicit-any

/** The same, for a handler that declares them. */
export type PTKHandlerArguments = any // oxlint-disable-line typescript/no-explicit-any

/** A parameter of a tool: JSON Schema. */
export type PTKParameter = Schema

/** A tool, and the function that runs it. */
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

/** The reply of a model: `content` if it is text, `toolCall` if it is a call. */
export interface PTKResponse {
  type: 'text' | 'tool_call'
  content?: string
  toolCall?: PTKToolCall
  /** The reply, as the model wrote it. */
  raw: string
}

/** Whether a call is well formed. */
export interface PTKValidation {
  valid: boolean
  error?: string
}

/** A message of a conversation. */
export interface PTKMessage {
  role: 'system' | 'user' | 'assistant' | 'tool'
  content: string
}

/** How a call ended. */
export interface PTKToolResult {
  success: boolean
  data: unknown
  error: string | null
}

/** The reply of a model, before any tool runs. */
export interface IterationInfo {
  /** From 1. */
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

/** How a prompt is executed. */
export interface PTKExecuteOptions {
  /** The tools, or their names in the tool manager. Default: all that the tool manager lists. */
  tools?: (PTKTool | AnyTool | string)[] | undefined
  /** How many times the model may be called. Default: 10. */
  maxIterations?: number | undefined
  /** How many calls may be run. Default: 20. */
  maxToolCalls?: number | undefined
  /** For all of it, in milliseconds. Default: none. */
  timeout?: number | undefined
  /** Called after each reply, before any tool runs. */
  onIteration?: ((info: IterationInfo) => void) | undefined
  /** Called before a tool runs. */
  onToolCall?: ((toolCall: PTKToolCall) => void) | undefined
  /** Called when a tool fails, which does not end the execution, and with what ends it. */
  onError?: ((error: Error) => void) | undefined
  /** Called with a call that repeats an earlier one, and is not run. */
  onDuplicateDetected?: ((toolCall: PTKToolCall) => void) | undefined
  model?: string | undefined
  temperature?: number | undefined
  /** Default: true. */
  detectDuplicates?: boolean | undefined
  /** How many of the last calls are compared. Default: 3. */
  duplicateWindow?: number | undefined
  /**
   * What happens with a call that cannot be read or run: it ends the execution, the model is told, or it is text, which
   * only one that cannot be read can be. Default: fail.
   */
  onMalformed?: 'fail' | 'feedback' | 'text' | undefined
  signal?: AbortSignal | undefined
}

/** How an execution ended. */
export interface PTKExecuteResult {
  success: boolean
  /** The final answer; empty if there is none. */
  content: string
  iterations: number
  messages: PTKMessage[]
  /** The calls that were run. */
  toolCalls: PTKToolCall[]
  totalToolCalls: number
  /** Why there is no answer. */
  error?: string
  errorCode?: PTKErrorCode
  /** It is estimated, since an LLM manager returns only text. */
  totalTokens?: number
  totalCost?: number
  /** In milliseconds. */
  duration: number
}

/** The defaults of a manager, for options that are not given. */
export interface PTKManagerConfig {
  /** Default: 5. */
  defaultMaxIterations: number
  /** Default: 30,000 ms. */
  defaultTimeout: number
  /** Whether iterations and calls are logged to the console. Default: true. */
  enableLogging: boolean
  /** Whether idempotent tools that failed with a transient error are run again. Default: true. */
  retryFailedTools: boolean
  /** At most 2. Default: 2. */
  maxToolRetries: number
}

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
  /** Its details: the failure of a tool, or `toolCalls` and `iteration` when an execution ended. */
  readonly context: unknown

  constructor(message: string, code: PTKErrorCode, context?: unknown, options?: ErrorOptions) {
    super(message, options)
    this.code = code
    this.context = context
  }
}
