import type { RecordedTurn } from '@toolglot/agent/journal'
import { z } from 'zod'
import { described, typed } from './described.ts'
import { runSegment } from './reply.ts'
import type { Usage } from '@toolglot/agent'

/** The number of tokens used. */
export const usage: z.ZodType<Usage> = typed(
  z
    .object({
      input: z.number(),
      output: z.number(),
      cached: z.number().optional().describe('The part of `input` that came from a cache.'),
      reasoning: z.number().optional().describe('The part of `output` that was reasoning.'),
      estimated: z.literal(true).optional().describe('True for estimates.'),
      cost: z.number().optional().describe("In the currency of the model's price."),
    })
    .meta({ id: 'Usage', description: 'The numbers of tokens, and their cost.' }),
)

const prompt: z.ZodType<NonNullable<RecordedTurn['prompt']>> = described(
  'SentPrompt',
  'A message in a request to a model.',
  {
    messages: z.array(
      z.looseObject({
        role: z.enum(['system', 'user', 'assistant', 'tool']),
        content: z
          .union([z.string(), z.array(z.looseObject({ type: z.string() }))])
          .describe('A text, or texts and images.'),
      }),
    ),
    tools: z
      .array(
        z.looseObject({
          name: z.string(),
          description: z.string().optional(),
          parameters: z.looseObject({}).optional(),
        }),
      )
      .describe('The tools, for native function calling. Otherwise they are in the first message.'),
  },
)

/** A turn of a run. */
export const recordedTurn: z.ZodType<RecordedTurn> = typed(
  z
    .object({
      key: z.string().describe('The key of its record: `turn/N`, or `final/N`.'),
      time: z.number().describe('The time of the record, in milliseconds since 1970.'),
      prompt,
      content: z.string().describe('Exactly what the model wrote, including calls.'),
      segments: z.array(runSegment).describe('The segments of the reply, in order.'),
      prefill: z
        .string()
        .optional()
        .describe('The start of the reply that was part of the request.'),
      thoughts: z.string().optional().describe('Reasoning that the model sent separately.'),
      native: z.literal(true).optional().describe('True for native calls.'),
      finish: z
        .enum(['stop', 'stop-string', 'length', 'broken'])
        .describe('The reason for its end.'),
      usage,
      firstToken: z.number().optional().describe('The time to the first piece, in milliseconds.'),
      duration: z.number().optional().describe('The duration of the reply, in milliseconds.'),
      warnings: z
        .array(z.object({ code: z.string(), message: z.string() }))
        .optional()
        .describe('The failed attempts before it.'),
      tokenRatio: z
        .number()
        .optional()
        .describe('The ratio of the counted tokens to the estimated ones.'),
    })
    .meta({
      id: 'RecordedTurn',
      description: 'A turn, with the complete request and reply.',
    }),
)
