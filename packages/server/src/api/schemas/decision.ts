import type {
  Decision,
  DecisionPart,
  RuleSuggestion,
  RunCode,
  Verdict,
} from '@toolglot/permissions'
import { z } from 'zod'
import { described, typed } from './described.ts'
import { placeFields } from './settings.ts'

/** The verdict: may it run? */
export const verdict: z.ZodType<Verdict> = z.enum(['allow', 'ask', 'deny'])

const judged = {
  what: z.string().describe('The effect of the part.'),
  verdict,
  why: z.string(),
  rule: z
    .looseObject({ text: z.string(), verdict, source: z.looseObject(placeFields) })
    .optional()
    .describe('The deciding rule.'),
  subject: z.looseObject({}).optional().describe('The command or operation.'),
  real: z.string().optional().describe('The real path of the file.'),
}

/** The verdict on one part of a call. */
export const decisionPart: z.ZodType<DecisionPart> = described(
  'DecisionPart',
  'The verdict on one part of a call, and why.',
  judged,
)

/** The shell text that replaces the call's. */
export const runs: z.ZodOptional<z.ZodString> = z
  .string()
  .optional()
  .describe(
    'The shell text to run in bash instead of the one in the call: printed from the parsed text.',
  )

/** The reason why there is no such text. */
export const unprinted: z.ZodOptional<z.ZodString> = z
  .string()
  .optional()
  .describe(
    'The reason why the shell text cannot be printed: no rule allows it, and if a person does, it runs as written.',
  )

/** The code that a call may run. */
export const code: z.ZodType<RunCode> = described(
  'RunCode',
  'Code that a call may run in addition to its own text. An approval is valid for this code as it is at the time of the request.',
  {
    anything: z
      .boolean()
      .describe(
        'True if the call may run any code in its folders, which the approver should know.',
      ),
    folders: z.array(z.string()).describe('The known folders that the call runs in.'),
    files: z
      .array(z.string())
      .optional()
      .describe('The code files in its arguments, if approval is requested.'),
  },
)

/** The verdict on a call. */
export const decision: z.ZodType<Decision> = described(
  'Decision',
  'The verdict on a call: that of its strictest part, with all parts.',
  {
    ...judged,
    parts: z.array(decisionPart),
    runs,
    unprinted,
    code: code.optional(),
    error: z
      .string()
      .optional()
      .describe('A rule or the call is invalid, so it cannot be approved.'),
  },
)

/** The rule that would allow a part of a call from now on, or the reason why there is none. */
export const ruleSuggestion: z.ZodType<RuleSuggestion> = typed(
  z
    .union([
      z.object({ what: z.string(), rule: z.string() }),
      z.object({ what: z.string(), reason: z.string() }),
    ])
    .meta({
      id: 'RuleSuggestion',
      description:
        'For a part of a call that needs approval: the rule that "always" would add, or the reason why there is none.',
    }),
)
