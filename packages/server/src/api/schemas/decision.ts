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

/** The shell text that replaces the call's. */
export const runs: z.ZodOptional<z.ZodString> = z
  .string()
  .optional()
  .describe(
    'The shell text to run instead of the one in the call, in bash: printed from what was judged.',
  )

/** The reason why there is no such text. */
export const unprinted: z.ZodOptional<z.ZodString> = z
  .string()
  .optional()
  .describe(
    'Why the shell text has no printed form: no rule allows it, and if a person does, it runs as written.',
  )

/** The code that a call may run. */
export const code: z.ZodType<RunCode> = described(
  'RunCode',
  'Code that a call may run besides its own text. An approval holds for this code as it is when the person is asked.',
  {
    anything: z.boolean().describe('It may run any code in its folders: tell the approver.'),
    folders: z.array(z.string()).describe('The folders that it runs in, as far as they are known.'),
    files: z
      .array(z.string())
      .optional()
      .describe('The files of code that its words name, once a person is asked.'),
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
    error: z.string().optional().describe('A rule or the call is invalid: nobody can approve it.'),
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
        'For a part of a call that needs approval: the rule that "always" would add, or why there is none.',
    }),
)
