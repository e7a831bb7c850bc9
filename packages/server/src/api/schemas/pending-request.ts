import type { PendingApproval, PendingQuestion, PendingRequest } from '@toolglot/agent/journal'
import { z } from 'zod'
import { code, decisionPart, ruleSuggestion, runs, unprinted } from './decision.ts'
import { typed } from './described.ts'
import type { Question, ApprovalAnswer } from '@toolglot/agent'
import type { NetworkNotice } from '@toolglot/permissions'

/** A question to a person. */
export const question: z.ZodType<Question> = typed(
  z
    .object({
      question: z.string(),
      header: z.string().describe('A short title.'),
      options: z.array(
        z.object({
          label: z.string(),
          description: z.string(),
          preview: z.string().optional().describe('In Markdown.'),
        }),
      ),
      multiSelect: z.boolean().optional().describe('Several options can be chosen.'),
    })
    .meta({
      id: 'Question',
      description: 'A question to a person. A free-text answer is also possible.',
    }),
)

/** The hosts that the approver lets a call reach. */
export type NetworkAnswer = NonNullable<ApprovalAnswer['network']>

/** The limit on a call's network access. */
export const networkNotice: z.ZodType<NetworkNotice> = typed(
  z
    .object({
      reaches: z
        .array(z.string())
        .describe('The hosts that the call can reach; empty if there are none.'),
      suggested: z
        .array(z.string())
        .describe('Hosts that the call appears to need, according to its text. Not reliable.'),
    })
    .meta({
      id: 'NetworkNotice',
      description:
        "The limit on a call's network access. Missing if there is none. The approver may allow more.",
    }),
)

/** The hosts that the approver lets a call reach. */
export const networkAnswer: z.ZodType<NetworkAnswer> = typed(
  z
    .union([
      z.literal('once'),
      z.strictObject({
        hosts: z.array(z.string().min(1).max(253)).min(1).max(100),
        always: z.enum(['run', 'user', 'folder']),
      }),
    ])
    .meta({
      id: 'NetworkAnswer',
      description:
        'Network access in addition to that of the sandbox: all of the network, this time only; or these hosts, for the rest of the run, in your own settings, or in the local settings of the folder.',
    }),
)

const fields = {
  run: z.string(),
  key: z.string().describe('The key for answering it.'),
  call: z.string().describe('The id of the call.'),
  tool: z.string().describe('The name of the tool, as the model wrote it.'),
  args: z.looseObject({}),
  since: z.number().describe('In milliseconds since 1970.'),
}

const pendingApproval: z.ZodType<PendingApproval> = typed(
  z
    .object({
      type: z.literal('approval'),
      ...fields,
      parts: z.array(decisionPart).describe('All effects of the call, with the verdict on each.'),
      runs,
      unprinted,
      code: code.optional(),
      suggestions: z.array(ruleSuggestion),
      expires: z
        .number()
        .optional()
        .describe('The time when it counts as denied, in milliseconds since 1970.'),
      network: networkNotice.optional(),
    })
    .meta({
      id: 'PendingApproval',
      description: 'A call that needs approval: approve or deny it.',
    }),
)

const pendingQuestion: z.ZodType<PendingQuestion> = typed(
  z
    .object({ type: z.literal('question'), ...fields, questions: z.array(question) })
    .meta({ id: 'PendingQuestion', description: 'Unanswered questions.' }),
)

/** A request that is waiting for an answer from a person. */
export const pendingRequest: z.ZodType<PendingRequest> = z
  .union([pendingApproval, pendingQuestion])
  .meta({ id: 'PendingRequest', description: 'A request that waits for a person.' })
