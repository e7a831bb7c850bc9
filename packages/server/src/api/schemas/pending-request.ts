import type { PendingApproval, PendingQuestion, PendingRequest } from '@toolglot/agent/journal'
import { z } from 'zod'
import { code, decisionPart, ruleSuggestion, runs, unprinted } from './decision.ts'
import { typed } from './described.ts'
import { networkNotice } from './network.ts'
import { question } from './question.ts'

const fields = {
  run: z.string(),
  key: z.string().describe('What it is answered with.'),
  call: z.string().describe('The id of the call.'),
  tool: z.string().describe('By the name that the model used.'),
  args: z.looseObject({}),
  since: z.number().describe('In milliseconds since 1970.'),
}

const pendingApproval: z.ZodType<PendingApproval> = typed(
  z
    .object({
      type: z.literal('approval'),
      ...fields,
      parts: z
        .array(decisionPart)
        .describe('Everything that the call does, with the verdict on it.'),
      runs,
      unprinted,
      code: code.optional(),
      suggestions: z.array(ruleSuggestion),
      expires: z
        .number()
        .optional()
        .describe('When it counts as denied, in milliseconds since 1970.'),
      network: networkNotice.optional(),
    })
    .meta({
      id: 'PendingApproval',
      description: 'A call that waits for approval: approve or deny it.',
    }),
)

const pendingQuestion: z.ZodType<PendingQuestion> = typed(
  z
    .object({ type: z.literal('question'), ...fields, questions: z.array(question) })
    .meta({ id: 'PendingQuestion', description: 'Questions that wait for answers.' }),
)

/** Something that waits for a person. */
export const pendingRequest: z.ZodType<PendingRequest> = z
  .union([pendingApproval, pendingQuestion])
  .meta({ id: 'PendingRequest', description: 'Something that waits for a person.' })
