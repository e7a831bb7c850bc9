import { z } from 'zod'
import { HttpError } from '../../../security/http-error.ts'
import type { Endpoint } from '../../endpoint.ts'
import { typed } from '../../schemas/described.ts'
import { folder, type InFolder } from '../../schemas/folder.ts'
import {
  executionAnswers,
  type ExecutionResult,
  hadNobodyToAsk,
  respond,
  resultOf,
} from './result.ts'

/** A call to execute. */
export interface ExecuteTool extends InFolder {
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
    'A call that needs approval is answered with 202 and what to approve, if somebody reads GET /api/approvals/events or did so within the last 30 seconds; GET /api/tools/executions/:id then has its result. Otherwise it is denied at once, with 403. Going away stops a call that nobody was asked about.',
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
          'Calls with the same one share what they have read, the directory they are in, and background commands; undo takes it, too, with exec- before it. Default: each call is on its own.',
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
        'Open GET /api/approvals/events to approve calls, or allow it by a rule: POST /api/permit suggests one.',
      members: { ...denied },
    })
  },
}
