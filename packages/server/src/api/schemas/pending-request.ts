import type { PendingRequest } from '@toolglot/agent/journal'
import { z } from 'zod'
import { described } from './described.ts'

/** Something that waits for a person. */
export const pendingRequest: z.ZodType<PendingRequest> = described(
  'PendingRequest',
  'Something that waits for a person: the approval of a call, or the answers to questions.',
  {
    type: z.enum(['approval', 'question']),
    run: z.string(),
    key: z.string().describe('What it is answered with.'),
    call: z.string(),
    tool: z.string(),
    args: z.looseObject({}),
    since: z.number().describe('In milliseconds since 1970.'),
    expires: z.number().optional().describe('When it counts as denied.'),
    parts: z
      .array(z.looseObject({ what: z.string(), verdict: z.string(), why: z.string() }))
      .optional()
      .describe('Of an approval: everything that the call does, with the verdict on it.'),
    suggestions: z
      .array(
        z.looseObject({
          what: z.string(),
          rule: z.string().optional(),
          reason: z.string().optional(),
        }),
      )
      .optional()
      .describe('Of an approval: the rules that "always" would add, or why there are none.'),
    questions: z.array(z.looseObject({ question: z.string(), header: z.string() })).optional(),
  },
)
