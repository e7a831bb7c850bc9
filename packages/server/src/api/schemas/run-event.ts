import type { Limits, RunEvent, ToolOutcome } from '@toolglot/agent'
import type { Approval, ApprovalRequest } from '@toolglot/permissions'
import { PERMISSION_MODES } from '@toolglot/permissions'
import { z } from 'zod'
import { decision, ruleSuggestion } from './decision.ts'
import { described, typed } from './described.ts'
import { networkAnswer, networkNotice, question } from './pending-request.ts'
import { malformedFields, runCall, span } from './reply.ts'
import { usage } from './recorded-turn.ts'

const all = {
  run: z.string(),
  seq: z.number(),
  time: z.number(),
  transient: z.literal(true).optional(),
}

/** An event of one type, with its own fields and the fields of all events. */
function event<Type extends string, Fields extends z.ZodRawShape>(
  type: Type,
  description: string,
  fields: Fields,
) {
  return z.object({ type: z.literal(type), ...fields, ...all }).meta({ title: type, description })
}

const call = z.string().describe('The id of the call.')
const key = z.string().describe('The key for answering it.')
const name = z.string().describe('The name of the tool, as the model wrote it.')
const args = z.looseObject({})
const turn = z.number().describe('Counted from 0.')
const index = z.number().describe('The number of the call in the reply.')
const delta = z.string().describe('The added text.')
const at = z.number().describe('The position in the reply.')
const milliseconds = z.number().describe('In milliseconds.')
const rules = z.array(z.string())
const ruleLists = { allow: rules, ask: rules, deny: rules }

const limits: z.ZodType<Limits> = described(
  'RecordedLimits',
  'The limits of a run. Times are in milliseconds; what is missing has no limit.',
  { maxIterations: z.number(), maxToolCalls: z.number(), maxTokens: z.number().optional() },
)

const todos = z.array(
  z
    .object({
      content: z.string(),
      status: z.enum(['pending', 'in_progress', 'completed', 'cancelled']),
      activeForm: z.string().describe('Such as "Running the tests".'),
    })
    .meta({ id: 'Todo', description: 'An item of a to-do list.' }),
)

const outcome: z.ZodType<ToolOutcome> = typed(
  z
    .object({
      status: z.enum([
        'success',
        'error',
        'denied',
        'cancelled',
        'timeout',
        'unknown',
        'duplicate',
        'cut_off',
        'not_run',
      ]),
      text: z.string().describe('The result or the error message.'),
      failure: z
        .object({
          tool: z.string(),
          error_type: z.enum([
            'permission_denied',
            'not_found',
            'timeout',
            'invalid_input',
            'execution_failed',
          ]),
          message: z.string(),
          details: z.looseObject({}).optional(),
        })
        .optional(),
      data: z.unknown().optional().describe('The result for programs, if it is small.'),
      started: z.number().nullable().describe('Null if the tool never started.'),
      duration: milliseconds,
      mayHaveChanged: z
        .literal(true)
        .optional()
        .describe('The outcome is unknown: a person should check.'),
      verified: z
        .literal(true)
        .optional()
        .describe('Its process died, and the tool confirmed that the call was done.'),
      args: args
        .optional()
        .describe('The arguments that the tool got, if they differ from the call.'),
      repeats: z.string().optional().describe('The id of the earlier call that it repeats.'),
      todos: todos.optional().describe('The new to-do list.'),
      remembered: z
        .looseObject({})
        .optional()
        .describe('The state of tools that is restored after a restart.'),
      truncated: z.literal(true).optional().describe('The text was truncated.'),
      size: z.number().optional().describe('The length of the whole text, in characters.'),
    })
    .meta({ id: 'ToolOutcome', description: 'The outcome of a call.' }),
)

const approvalRequest: z.ZodType<ApprovalRequest> = typed(
  z
    .object({
      run: z.string(),
      call,
      hash: z.string().describe('Identifies the exact request.'),
      decision,
      always: rules.describe('The rules that "always" would add.'),
      suggestions: z.array(ruleSuggestion),
      expires: z.number().optional().describe('The time when it counts as denied.'),
      network: networkNotice.optional(),
    })
    .meta({ id: 'ApprovalRequest', description: 'A request for approval of a call.' }),
)

const approval: z.ZodType<Approval> = typed(
  z.object({
    run: z.string(),
    call,
    hash: z.string(),
    verdict: z.enum(['allow', 'deny']),
    reason: z.string().optional().describe('Shown to the model.'),
  }),
)

/** An event of a run. */
export const runEvent: z.ZodType<RunEvent> = typed(
  z
    .discriminatedUnion('type', [
      event('run-start', 'A process executes the run from now on.', {
        protocol: z.string().optional().describe('Missing for native function calling.'),
        resumed: z.boolean().describe('True if the run was resumed.'),
        model: z.string(),
        modelReference: z.string().optional().describe('Such as ollama/qwen3:8b.'),
        modelNamedBy: z.enum(['person', 'folder']).optional(),
        contextTokens: z.number().optional().describe('The size of the context window.'),
        folder: z.string().optional(),
        host: z.string().optional(),
        owner: z.string().optional(),
        version: z.string().optional().describe('The version of the program and its tools.'),
        limits: limits.optional(),
        permissions: z
          .object({
            mode: z.enum(PERMISSION_MODES).optional(),
            ...ruleLists,
            given: z
              .object({ mode: z.enum(PERMISSION_MODES).optional(), ...ruleLists })
              .optional()
              .describe('The permissions for this run only.'),
          })
          .optional()
          .describe('The permissions at the start.'),
        forkOf: z.object({ run: z.string(), turn: z.number() }).optional(),
      }),
      event('prompt', 'A message from a person.', {
        content: z.string(),
        images: z.number().optional().describe('The number of images.'),
      }),
      event('turn-start', 'A request to the model.', { turn }),
      event('prompt-changed', 'The prompt is not just an extension of the previous one.', {
        turn,
        cause: z.enum(['compacted', 'tools', 'malformed', 'reprinted']),
      }),
      event('text', 'The model writes.', { delta, at }),
      event('reasoning', 'The model thinks.', { delta, at }),
      event('call-start', 'A call starts. It may be retracted: see `malformed`.', {
        index,
        id: call,
        name,
      }),
      event('call-delta', 'More of the text of a call.', { index, delta }),
      event('call-end', 'A call, as it was read.', { index, call: runCall }),
      event('malformed', 'A block that could not be read as a call.', {
        index: z.number().optional().describe('The call that was announced and is retracted.'),
        ...malformedFields,
      }),
      event('result', 'The model forged the result of a tool.', { raw: z.string(), span }),
      event('turn-end', 'The reply is complete.', {
        turn,
        usage,
        firstToken: milliseconds.optional(),
        duration: milliseconds.optional(),
      }),
      event('approval-request', 'A call needs approval.', {
        key,
        request: approvalRequest,
        name,
        args,
      }),
      event('approval', 'A call was approved or denied.', {
        key,
        approval,
        always: z
          .enum(['run', 'user', 'folder'])
          .optional()
          .describe('The scope of the permission.'),
        rules: rules.optional().describe('The rules that it added.'),
        allowedBy: rules
          .optional()
          .describe('The rules that allowed it, if it was not approved by a person.'),
        network: networkAnswer.optional(),
      }),
      event('tool-start', 'A tool starts.', { call, name, args }),
      event('tool-progress', 'A tool reports its progress.', {
        call,
        update: z.union([
          z.object({
            type: z.literal('output'),
            stream: z.enum(['stdout', 'stderr']),
            text: z.string(),
          }),
          z.object({ type: z.literal('note'), text: z.string() }),
          z.object({ type: z.literal('todo'), todos }),
        ]),
      }),
      event('duplicate', 'A call repeats an earlier one, and is not run.', {
        call,
        name,
        of: z.string().describe('The id of the call that it repeats.'),
        on: z.enum(['reuse', 'warn']),
      }),
      event('tool-end', 'The outcome of a call.', { call, name, outcome }),
      event('tool-late', 'A tool that was stopped ended after all.', { call, name, outcome }),
      event('question', 'The run needs answers to questions.', {
        key,
        call,
        questions: z.array(question),
      }),
      event('answer', 'A person answered.', {
        key,
        call,
        answers: z
          .record(z.string(), z.union([z.string(), z.array(z.string())]))
          .describe('The answers by the text of the question.'),
      }),
      event('todo', 'The to-do list of the model.', { todos }),
      event('compacted', 'The history was shortened.', {
        before: z.number(),
        after: z.number(),
      }),
      event('warning', 'Something to know.', { code: z.string(), message: z.string() }),
      event('run-end', 'The run has ended, or this process stops executing it.', {
        reason: z.enum([
          'answer',
          'max_iterations',
          'max_tool_calls',
          'malformed',
          'loop',
          'timeout',
          'cancelled',
          'denied',
          'model_error',
          'context_overflow',
          'budget',
          'storage',
          'interrupted',
        ]),
        text: z.string().describe('The answer, or the last text of the model.'),
        usage,
        unfinished: z
          .string()
          .optional()
          .describe('The text of a reply that was incomplete when the run ended.'),
        error: z.string().optional().describe('The reason why there is no answer.'),
        pending: z.array(z.string()).optional().describe('The keys of the pending requests.'),
        problem: z
          .enum([
            'busy',
            'taken',
            'missing',
            'ended',
            'not_pending',
            'unread',
            'full',
            'read_only',
            'corrupt',
            'imported',
            'changed',
            'failed',
          ])
          .optional()
          .describe('The problem with the journal, or a change of the setup of the run.'),
      }),
    ])
    .meta({
      id: 'RunEvent',
      description:
        'An event of a run, with its time in milliseconds since 1970. Its fields depend on its type; later versions may add types. An event with `transient` is not recorded: it is a preview, and its `seq` is that of the recorded event before it.',
    }),
)
