import type { SettingsProblem } from '@toolglot/workspace'
import { z } from 'zod'
import { typed } from './described.ts'

/** Something that is wrong in a settings file. */
export type ListedProblem = SettingsProblem

/** The schema of a problem in a settings file. */
export const settingsProblem: z.ZodType<ListedProblem> = typed(
  z
    .object({
      file: z.string(),
      line: z.number().optional().describe('Counted from 1.'),
      reason: z.string(),
    })
    .meta({ id: 'SettingsProblem' }),
)
