import { z } from 'zod'
import { HttpError } from '../../security/http-error.ts'
import type { Endpoint, EndpointAnswer } from '../endpoint.ts'
import { typed } from '../schemas/described.ts'
import { folder, type InFolder } from '../schemas/settings.ts'
import type { PendingRequest } from '@toolglot/agent/journal'
import type { Execution } from '../../runs/live-execution.ts'
import { pendingRequest } from '../schemas/pending-request.ts'

/** The result of a call. */
export interface ExecutionResult {
  /** True if the tool succeeded; for a command, if its exit code is 0. */
  readonly success: boolean
  /** The tool's result as text, or the reason why it is missing. */
  readonly result: string
  /** The exit code of a command; null if it has none. */
  readonly exit_code: number | null
  /** The pending approval, and the id for fetching the result later. */
  readonly approval?: WaitingExecution
}

/** The approval that a call is waiting for, and the id for fetching its result later. */
interface WaitingExecution {
  /** The id of the execution, for GET and DELETE /api/tools/executions/:id. */
  readonly id: string
  /** Undefined once the call is approved and running. */
  readonly request?: PendingRequest
}

const fields = {
  success: z.boolean(),
  result: z.string(),
  exit_code: z.number().nullable(),
}

/** Responses to the client that executes a call. */
const executionAnswers: Readonly<Record<200 | 202, EndpointAnswer>> = {
  200: { about: 'The call has ended.', schema: z.strictObject(fields) },
  202: {
    about: 'The call needs approval, or is still running.',
    schema: z.strictObject({
      ...fields,
      approval: z.strictObject({ id: z.string(), request: pendingRequest.optional() }),
    }),
  },
}

/** The state of an execution as a response: JSON with line breaks, so that people can read it. */
function respond(execution: Execution): Response {
  return new Response(JSON.stringify(resultOf(execution), null, 2), {
    status: execution.result ? 200 : 202,
    headers: { 'content-type': 'application/json', 'x-toolglot-execution': execution.id },
  })
}

/** The state of an execution. */
function resultOf({ id, pending, result }: Execution): ExecutionResult {
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

/** True if a call was denied only because no approver was connected. */
function hadNobodyToAsk({ result }: Execution): boolean {
  return result?.status === 'error' && result.failure.details?.['code'] === 'nobody_to_ask'
}

/** A call to execute. */
interface ExecuteTool extends InFolder {
  readonly tool_name: string
  readonly arguments: Readonly<Record<string, unknown>>
  readonly run?: string | undefined
}

/** Executes a call. */
export const executeTool: Endpoint<
  'POST /api/tools/execute',
  { readonly body: ExecuteTool },
  ExecutionResult
> = {
  name: 'POST /api/tools/execute',
  about: 'Execute a tool as if a model had called it, with the same checks and permissions.',
  details:
    'A call that needs approval is answered with 202 and the pending request, if a client is reading GET /api/approvals/events or did so within the last 30 seconds; GET /api/tools/executions/:id then returns its result. Otherwise it is denied immediately, with 403. Disconnecting stops a call unless it waits for approval.',
  body: typed(
    z.strictObject({
      tool_name: z.string().min(1).max(200).describe('Such as bash or Read.'),
      arguments: z.record(z.string(), z.unknown()).describe('The arguments of the tool.'),
      folder,
      run: z
        .string()
        .regex(/^[\w-]{1,64}$/)
        .optional()
        .describe(
          'Calls with the same id share the files they have read, the working directory and background commands; undo also accepts the id, with the prefix exec-. Default: each call is separate.',
        ),
    }),
  ),
  answers: executionAnswers,
  async handle({ body }, { services: { executions }, signal }) {
    const { tool_name: tool, arguments: args, folder: path, run } = body
    const execution = await executions.start({ tool, args, folder: path, run, signal })
    if (!hadNobodyToAsk(execution)) return respond(execution)
    const denied = resultOf(execution)
    throw new HttpError('approval_unavailable', denied.result, {
      action:
        'Open GET /api/approvals/events to approve calls, or allow it with a rule: POST /api/permit suggests one.',
      members: { ...denied },
    })
  },
}

/** The time to wait for an execution. */
interface AwaitExecution {
  readonly wait?: number | undefined
}

/** Shows the state of an execution. */
export const showExecution: Endpoint<
  'GET /api/tools/executions/:id',
  { readonly query: AwaitExecution },
  ExecutionResult
> = {
  name: 'GET /api/tools/executions/:id',
  about: 'Show the result of a call that needed approval, or its pending request.',
  details:
    'Answers immediately, or with `wait`, after a change: the call is approved or denied, asks a question, or has ended. The last hundred results are kept, in memory only.',
  query: typed(
    z.strictObject({
      wait: z.coerce
        .number()
        .min(0)
        .max(60)
        .optional()
        .describe(
          'The number of seconds to wait for a change, unless the call has ended. Default: 0.',
        ),
    }),
  ),
  answers: executionAnswers,
  async handle({ parameters: { id }, query: { wait = 0 } }, { services, signal }) {
    const { executions, closing } = services
    const execution = await executions.find(id, wait * 1000, [signal, closing])
    if (!execution) throw unknown()
    return respond(execution)
  },
}

/** Stops an execution. */
export const stopExecution: Endpoint<'DELETE /api/tools/executions/:id', object, undefined> = {
  name: 'DELETE /api/tools/executions/:id',
  about: 'Stop a pending or running call.',
  answers: { 204: { about: 'The call is being stopped.' } },
  handle({ parameters: { id } }, { services: { executions } }) {
    if (!executions.stop(id)) throw unknown()
    return undefined
  },
}

function unknown(): HttpError {
  return new HttpError('not_found', 'No execution has this id, or its result has expired.', {
    action: 'Nothing is running. Execute the call again.',
  })
}
