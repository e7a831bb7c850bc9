import type { PendingRequest } from '@toolglot/agent/journal'
import { z } from 'zod'
import type { Execution } from '../../../runs/live-execution.ts'
import type { EndpointAnswer } from '../../endpoint.ts'
import { pendingRequest } from '../../schemas/pending-request.ts'

/** The result of a call. */
export interface ExecutionResult {
  /** Whether the tool did what it should; for a command, whether its exit code is 0. */
  readonly success: boolean
  /** What the tool returned as text, or why it did not. */
  readonly result: string
  /** The exit code of a command; null if there is none. */
  readonly exit_code: number | null
  /** What it waits for, and where its result will be. */
  readonly approval?: WaitingExecution
}

/** What a call waits for, and where its result will be. */
export interface WaitingExecution {
  /** The id of the execution, for GET and DELETE /api/tools/executions/:id. */
  readonly id: string
  /** Undefined if it was approved, and is being executed. */
  readonly request?: PendingRequest
}

const fields = {
  success: z.boolean(),
  result: z.string(),
  exit_code: z.number().nullable(),
}

/** The responses to whoever executes a call. */
export const executionAnswers: Readonly<Record<200 | 202, EndpointAnswer>> = {
  200: { about: 'The call has ended.', schema: z.strictObject(fields) },
  202: {
    about: 'The call needs approval, or is still being executed.',
    schema: z.strictObject({
      ...fields,
      approval: z.strictObject({ id: z.string(), request: pendingRequest.optional() }),
    }),
  },
}

/** How far an execution is, as a response: JSON with line breaks, so that people can read it. */
export function respond(execution: Execution): Response {
  return new Response(JSON.stringify(resultOf(execution), null, 2), {
    status: execution.result ? 200 : 202,
    headers: { 'content-type': 'application/json', 'x-toolglot-execution': execution.id },
  })
}

/** How far an execution is. */
export function resultOf({ id, pending, result }: Execution): ExecutionResult {
  if (!result) {
    const text = pending
      ? 'The call waits for a person: see approval.'
      : 'The call is being executed.'
    const approval = { id, request: pending }
    return { success: false, result: text, exit_code: null, approval }
  }
  if (result.status === 'error') {
    const { error_type, message } = result.failure
    return { success: false, result: `${error_type}: ${message}`, exit_code: null }
  }
  const { exit_code: code, result: output } = Object(result.result) as Record<string, unknown>
  const exitCode = typeof code === 'number' ? code : null
  return {
    success: (exitCode ?? 0) === 0,
    // The alias `bash` returns its result in this shape already.
    result: typeof output === 'string' && exitCode !== null ? output : result.text,
    exit_code: exitCode,
  }
}

/** Whether a call was denied only because there was nobody to ask. */
export function hadNobodyToAsk({ result }: Execution): boolean {
  return result?.status === 'error' && result.failure.details?.['code'] === 'nobody_to_ask'
}
