import type { Usage } from '@toolglot/agent'
import { z } from 'zod'
import { typed } from './described.ts'

/** How many tokens were used. */
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
