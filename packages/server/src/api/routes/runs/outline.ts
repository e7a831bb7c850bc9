import { z } from 'zod'
import type { Endpoint } from '../../endpoint.ts'
import type { RunOutline } from '../../run-outlines.ts'
import { typed } from '../../schemas/described.ts'

const outline: z.ZodType<RunOutline> = typed(
  z
    .object({
      tools: z.array(z.string()).describe('The tools that it called.'),
      models: z.array(z.string()).describe('The models that wrote something.'),
      protocols: z.array(z.string()).describe('The protocols in which something was written.'),
      strip: z
        .array(
          z.object({
            kind: z.enum(['text', 'reasoning', 'call', 'malformed', 'made-up', 'waiting']),
            length: z.number().describe('In characters.'),
          }),
        )
        .describe('At most 24: where there are more, neighbours are one piece.'),
    })
    .meta({ id: 'RunOutline', description: 'A run at a glance.' }),
)

/** Shows a run at a glance. */
export const showOutline: Endpoint<'GET /api/runs/:run/outline', object, RunOutline> = {
  name: 'GET /api/runs/:run/outline',
  about:
    'Show a run at a glance: what its replies were read as, to scale, its tools, models and protocols.',
  answers: {
    200: {
      about: 'The pieces, in order, and the names.',
      schema: outline,
    },
  },
  handle: async ({ parameters: { run } }, { services: { runs, outlines } }) =>
    outlines.of(await runs.find(run)),
}
