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
      estimated: z.literal(true).optional().describe('These are estimates.'),
      cost: z.number().optional().describe("In the currency of the model's price."),
    })
    .meta({ id: 'Usage', description: 'How many tokens were used, and what they cost.' }),
)

const prompt: z.ZodType<NonNullable<RecordedTurn['prompt']>> = described(
  'SentPrompt',
  'What a model was sent.',
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
      .describe('For native function calling. Otherwise they are in the first message.'),
  },
)

/** A turn of a run. */
export const recordedTurn: z.ZodType<RecordedTurn> = typed(
  z
    .object({
      key: z.string().describe('The key of its record: `turn/N`, or `final/N`.'),
      time: z.number().describe('When it was recorded, in milliseconds since 1970.'),
      prompt,
      content: z.string().describe('Exactly what the model wrote, including calls.'),
      segments: z.array(runSegment).describe('What was read from it, in order.'),
      prefill: z.string().optional().describe('The beginning of the reply, which was given.'),
      thoughts: z.string().optional().describe('Reasoning that the model sent separately.'),
      native: z.literal(true).optional().describe('The calls are native ones.'),
      finish: z.enum(['stop', 'stop-string', 'length', 'broken']).describe('How it ended.'),
      usage,
      firstToken: z
        .number()
        .optional()
        .describe('From the request to the first piece, in milliseconds.'),
      duration: z.number().optional().describe('How long the reply took, in milliseconds.'),
      warnings: z
        .array(z.object({ code: z.string(), message: z.string() }))
        .optional()
        .describe('What went wrong on the way to it.'),
      tokenRatio: z
        .number()
        .optional()
        .describe('How many tokens the server counts for each one that was estimated.'),
    })
    .meta({
      id: 'RecordedTurn',
      description: 'A turn, with everything that was sent and received.',
    }),
)
