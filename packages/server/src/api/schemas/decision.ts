import type { Decision, DecisionPart, RuleSuggestion, Verdict } from '@toolglot/permissions'
import { z } from 'zod'
import { described, typed } from './described.ts'
import { placeFields } from './source.ts'

/** Whether something may run. */
export const verdict: z.ZodType<Verdict> = z.enum(['allow', 'ask', 'deny'])

const judged = {
  what: z.string().describe('What it does.'),
  verdict,
  why: z.string(),
  rule: z
    .looseObject({ text: z.string(), verdict, source: z.looseObject(placeFields) })
    .optional()
    .describe('The rule that decided it.'),
  subject: z.looseObject({}).optional().describe('The command or operation that was judged.'),
  real: z.string().optional().describe('The real path of the file that was judged.'),
}

/** The verdict on one part of a call. */
export const decisionPart: z.ZodType<DecisionPart> = described(
  'DecisionPart',
  'The verdict on one part of a call, and why.',
  judged,
)

/** The shell text that runs. */
export const runs: z.ZodOptional<z.ZodString> = z
  .string()
  .optional()
  .describe('The shell text with file names in place of patterns, as it was judged. Run this one.')

/** The verdict on a call. */
export const decision: z.ZodType<Decision> = described(
  'Decision',
  'The verdict on a call: that of its strictest part, with all parts.',
  {
    ...judged,
    parts: z.array(decisionPart),
    runs,
    error: z.string().optional().describe('A rule or the call is invalid: nobody can approve it.'),
  },
)

/** The rule that would allow a part of a call from now on, or why there is none. */
export const ruleSuggestion: z.ZodType<RuleSuggestion> = typed(
  z
    .union([
      z.object({ what: z.string(), rule: z.string() }),
      z.object({ what: z.string(), reason: z.string() }),
    ])
    .meta({
      id: 'RuleSuggestion',
      description:
        'For a part of a call that needs approval: the rule that "always" would add, or why there is none.',
    }),
)
