import type { RunSummary } from '@toolglot/agent/journal'
import { z } from 'zod'
import { described } from './described.ts'
import type { StartedRun } from '../../runs/run-request.ts'

/** A run in a list. */
export const runSummary: z.ZodType<RunSummary> = described(
  'RunSummary',
  'A run: its owner, folder and model, its state, and its usage.',
  {
    run: z.string(),
    name: z.string().optional(),
    prompt: z.string().optional(),
    model: z.string().optional(),
    folder: z.string().optional(),
    protocol: z.string().optional(),
    owner: z.string().optional(),
    usage: z.looseObject({ input: z.number(), output: z.number(), cost: z.number().optional() }),
    forkOf: z.looseObject({ run: z.string(), turn: z.number() }).optional(),
    started: z.number().describe('In milliseconds since 1970.'),
    last: z.number().describe('The time of its last record, in milliseconds since 1970.'),
    turns: z.number(),
    state: z.enum(['running', 'waiting', 'finished', 'interrupted', 'corrupt']),
    reason: z.string().optional().describe('The reason for its end.'),
    imported: z.boolean(),
  },
)

/** A run that was started, resumed or forked. */
export const startedRun: z.ZodType<StartedRun> = described(
  'StartedRun',
  'A run that is under way. GET /api/runs/:run/events has its events.',
  {
    run: z.string(),
    folder: z.string(),
    model: z.string(),
    why: z.string().describe('The reason for choosing this model.'),
    warnings: z
      .array(z.string())
      .describe('Problems with settings, and files that were not attached.'),
  },
)

/** The maximum size of a request with attachments, in bytes. */
export const ATTACHMENTS_SIZE: number = 32 << 20
