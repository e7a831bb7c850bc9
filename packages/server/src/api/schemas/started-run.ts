import { z } from 'zod'
import type { StartedRun } from '../../runs/run-request.ts'
import { described } from './described.ts'

/** A run that was started, resumed or forked. */
export const startedRun: z.ZodType<StartedRun> = described(
  'StartedRun',
  'A run that is under way. GET /api/runs/:run/events has its events.',
  {
    run: z.string(),
    folder: z.string(),
    model: z.string(),
    why: z.string().describe('Why this model was chosen.'),
    warnings: z.array(z.string()).describe('Problems with settings, files that were not attached.'),
  },
)

/** The maximum size of a request with attachments, in bytes. */
export const ATTACHMENTS_SIZE: number = 32 << 20
