import type { RuleScope, RuleSource } from '@toolglot/permissions'
import { z } from 'zod'

/** Whose settings something is from. */
export const scope: z.ZodType<RuleScope> = z
  .enum(['managed', 'cli', 'local', 'project', 'user'])
  .describe(
    "Whose settings: the administrator's, this request's or the command line's, the folder's local ones, the folder's own, the user's.",
  )

/** Where something was written in settings. */
export interface Place {
  readonly scope: RuleScope
  readonly file?: string
  /** Counted from 1. */
  readonly line?: number
}

/** The fields that say where something was written. */
export const placeFields: {
  readonly scope: typeof scope
  readonly file: z.ZodOptional<z.ZodString>
  readonly line: z.ZodOptional<z.ZodNumber>
} = {
  scope,
  file: z.string().optional().describe('The file that it is written in.'),
  line: z.number().optional().describe('The line in that file, counted from 1.'),
}

/** Where something was written, without what is only of use to the reader of rules. */
export function placeOf({ scope: whose, file, line }: RuleSource): Place {
  return {
    scope: whose,
    file,
    line,
  }
}
