import type { RunEvent } from '@toolglot/agent'
import { z } from 'zod'
import { described } from './described.ts'

const TYPES = [
  'run-start',
  'prompt',
  'turn-start',
  'prompt-changed',
  'text',
  'reasoning',
  'call-start',
  'call-delta',
  'call-end',
  'malformed',
  'result',
  'turn-end',
  'approval-request',
  'approval',
  'tool-start',
  'tool-progress',
  'duplicate',
  'tool-end',
  'tool-late',
  'question',
  'answer',
  'todo',
  'compacted',
  'warning',
  'run-end',
] as const

/** Something that happened in a run. */
export const runEvent: z.ZodType<RunEvent> = described(
  'RunEvent',
  'Something that happened in a run. Its other fields depend on its type; the type RunEvent of @toolglot/agent has them all.',
  {
    type: z.enum(TYPES),
    run: z.string(),
    seq: z
      .number()
      .describe('The number of the event. A transient one has that of the recorded one before it.'),
    time: z.number().describe('In milliseconds since 1970.'),
    transient: z
      .literal(true)
      .optional()
      .describe('It is not recorded: it shows what happens while it happens.'),
  },
)
