import type { Call, Reply } from '@toolglot/core'
import { z } from 'zod'
import { described } from './described.ts'

const span = z.array(z.number()).length(2).describe('From, to (exclusive), in UTF-16 code units.')

const call: z.ZodType<Call> = described<Call>(
  'Call',
  'A call, and how far it can be trusted: `inReasoning`, `fenced`, `markerless`, `afterMalformed`, `afterResult` and `otherProtocol` are true or missing.',
  {
    id: z.string(),
    name: z.string(),
    args: z.looseObject({}),
    protocol: z.string(),
    complete: z.boolean().describe('The whole call was seen.'),
    repairs: z.array(z.string()).describe('The repairs that were needed to read it.'),
    raw: z.string().describe('Exactly as the model wrote it.'),
    span,
  },
)

/** What was read from a reply. */
export const reply: z.ZodType<Reply> = described<Reply>('Reply', 'What was read from a reply.', {
  text: z.string().describe('What a person should see.'),
  reasoning: z.string(),
  calls: z.array(call),
  segments: z
    .array(
      z.looseObject({
        type: z.enum(['text', 'reasoning', 'mark', 'call', 'malformed', 'result']),
        span,
        call: call.optional(),
        raw: z.string().optional(),
        problem: z.string().optional().describe('Why it could not be read as a call.'),
        hint: z.string().optional().describe('What was expected and what was found.'),
        at: z.number().optional().describe('Where reading stopped.'),
      }),
    )
    .describe('The pieces of the reply, in order, without gaps or overlaps.'),
})
