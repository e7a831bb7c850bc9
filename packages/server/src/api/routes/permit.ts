import { duplicateKeyProblem, isObject } from '@toolglot/agent/internal'
import {
  decide,
  type Decision,
  lintRules,
  PERMISSION_MODES,
  type PermissionMode,
  type Permissions,
  type RuleSuggestion,
  suggestRuleForEach,
  type Verdict,
} from '@toolglot/permissions'
import { z } from 'zod'
import { HttpError } from '../../security/http-error.ts'
import type { Endpoint } from '../endpoint.ts'
import { typed } from '../schemas/described.ts'
import { decision, ruleSuggestion, verdict } from '../schemas/decision.ts'
import { folder, type InFolder, type Place, placeFields, placeOf } from '../schemas/settings.ts'

/** A call to decide on, and rules that have not been saved yet. */
export interface PermitInput extends InFolder {
  readonly tool: string
  readonly arguments?: Readonly<Record<string, unknown>> | undefined
  readonly argumentsText?: string | undefined
  readonly allow?: readonly string[] | undefined
  readonly ask?: readonly string[] | undefined
  readonly deny?: readonly string[] | undefined
  readonly mode?: PermissionMode | undefined
}

/** The decision on a call, with reasons. */
export interface ExplainedCall {
  readonly decision: Decision
  /**
   * For each part that needs approval: the rule that would allow it, or the reason why there is
   * none.
   */
  readonly always: readonly RuleSuggestion[]
  readonly mode: PermissionMode
  /** Invalid rules. While there are any, every call is denied. */
  readonly problems: readonly ListedRuleProblem[]
  /** Notes on the rules that have not been saved yet. */
  readonly notes: readonly ListedRuleNote[]
}

/** An invalid rule and its place. */
export interface ListedRuleProblem extends Place {
  readonly rule: string
  readonly problem: string
}

/** A note on a rule and its place. */
export interface ListedRuleNote extends Place {
  readonly rule: string
  readonly verdict: Verdict
  /**
   * The rule has no effect, allows more than it seems to, or states something that rules cannot
   * express.
   */
  readonly about: 'never' | 'too-much' | 'cannot-say'
  readonly message: string
}

/** Cautions about the rules of a folder. */
export interface RuleLint {
  /** The number of rules that apply. */
  readonly rules: number
  readonly problems: readonly ListedRuleProblem[]
  readonly notes: readonly ListedRuleNote[]
}

const listedProblem = z.object({ rule: z.string(), problem: z.string(), ...placeFields }).meta({
  id: 'RuleProblem',
  description: 'An invalid rule. Until it is fixed, every call is denied.',
})

const listedNote = z
  .object({
    rule: z.string(),
    verdict,
    about: z
      .enum(['never', 'too-much', 'cannot-say'])
      .describe(
        'The rule has no effect, allows more than it seems to, or states something that rules cannot express.',
      ),
    message: z.string(),
    ...placeFields,
  })
  .meta({ id: 'RuleNote', description: 'A note on a rule.' })

const rules = (effect: string): z.ZodOptional<z.ZodArray<z.ZodString>> =>
  z
    .array(z.string().max(2000))
    .max(100)
    .optional()
    .describe(`Rules that have not been saved yet, for calls that ${effect}.`)

/** Decides if a call may run, and explains the decision. Nothing runs. */
export const explainCall: Endpoint<
  'POST /api/permit',
  { readonly body: PermitInput },
  ExplainedCall
> = {
  name: 'POST /api/permit',
  about: 'Decide if a call may run, with the verdict on each part and the reasons. Nothing runs.',
  body: typed(
    z
      .strictObject({
        folder,
        tool: z.string().max(256).describe('The name of the tool, such as Bash.'),
        arguments: z
          .unknown()
          .refine((value) => value === undefined || isObject(value), 'must be an object')
          .meta({ type: 'object', description: 'Its arguments. Default: none.' })
          .optional(),
        argumentsText: z
          .string()
          .max(1 << 20)
          .optional()
          .describe('The arguments as JSON text instead. Duplicate keys are refused.'),
        allow: rules('run without approval'),
        ask: rules('need approval'),
        deny: rules('are denied'),
        mode: z
          .enum(PERMISSION_MODES)
          .optional()
          .describe('The permission mode. Default: that of the settings.'),
      })
      .refine(
        ({ arguments: given, argumentsText }) => given === undefined || argumentsText === undefined,
        { message: 'must not be combined with arguments', path: ['argumentsText'] },
      ),
  ),
  answers: {
    200: {
      about: 'The decision.',
      schema: z.object({
        decision,
        always: z.array(ruleSuggestion),
        mode: z.enum(PERMISSION_MODES),
        problems: z.array(listedProblem),
        notes: z.array(listedNote).describe('Notes on the rules of this request.'),
      }),
    },
  },
  async handle({ body }, { services }) {
    const { tool: name, argumentsText, allow = [], ask = [], deny = [], mode } = body
    const args = argumentsText === undefined ? body.arguments : readArguments(argumentsText)
    const doubled = argumentsText === undefined ? undefined : duplicateKeyProblem(argumentsText)
    const call = { name, args: isObject(args) ? args : {} }
    const workspace = await services.folders.open(body.folder, {
      allow,
      ask,
      deny,
      mode,
    })
    const permissions = await workspace.permissions()
    const decided =
      doubled === undefined
        ? await decide(call, permissions, workspace.fileSystem)
        : refusal(name, doubled)
    const dangerous = (await workspace.ownTools()).get(name)?.dangerous
    return {
      decision: decided,
      always: await suggestRuleForEach(decided, permissions, workspace.fileSystem, { dangerous }),
      mode: workspace.settings.mode,
      ...lintOf(permissions, ({ source }) => source.scope === 'cli'),
    }
  },
}

/** Checks the rules of a folder. */
export const lintFolderRules: Endpoint<
  'GET /api/permit/lint',
  { readonly query: InFolder },
  RuleLint
> = {
  name: 'GET /api/permit/lint',
  about: 'Find rules that are invalid, never match, match too much or have another meaning.',
  query: typed(z.strictObject({ folder })),
  answers: {
    200: {
      about: 'The findings.',
      schema: z.object({
        rules: z.number().describe('The number of rules that apply.'),
        problems: z.array(listedProblem),
        notes: z.array(listedNote),
      }),
    },
  },
  async handle({ query }, { services }) {
    const workspace = await services.folders.open(query.folder)
    const permissions = await workspace.permissions()
    return { rules: permissions.rules.length, ...lintOf(permissions, () => true) }
  },
}

function lintOf(
  { rules: all, problems = [] }: Permissions,
  isMeant: (rule: Permissions['rules'][number]) => boolean,
): Pick<RuleLint, 'problems' | 'notes'> {
  return {
    problems: problems.map(({ text, problem, source }) => ({
      rule: text,
      problem,
      ...placeOf(source),
    })),
    notes: lintRules(all).flatMap(({ rule, about, message }) =>
      isMeant(rule)
        ? [{ rule: rule.text, verdict: rule.verdict, about, message, ...placeOf(rule.source) }]
        : [],
    ),
  }
}

function refusal(what: string, error: string): Decision {
  const only = { what, verdict: 'deny', why: error } as const
  return { ...only, parts: [only], error }
}

function readArguments(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    if (isObject(value)) return value
  } catch {
    // The text is not JSON. The engine's error may quote it, so the error is dropped.
  }
  throw new HttpError('invalid_request', 'argumentsText must be a JSON object, as text.', {
    action: 'Send the arguments as the model wrote them, or as an object in `arguments`.',
  })
}
