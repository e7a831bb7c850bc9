import { resolve } from '../decide/call.ts'
import type { Permissions } from '../decide/decide.ts'
import type { FileSystemView } from '../decide/file-system.ts'
import { readRules } from './read-rules.ts'
import type { ToolAccess } from '../decide/canonical-tools.ts'
import type { Decision, DecisionPart } from '../decide/decision.ts'
import { judgeWithLookUps, type SearchableFileSystem } from '../decide/look-up.ts'
import { judgeName } from '../decide/parts.ts'
import { judgeFile } from '../path/judge.ts'
import { judgeCommand } from '../shell/judge.ts'
import { judgeFetch } from '../web/judge.ts'
import type { Rule } from './rule.ts'
import { type NarrowRule, ruleForTool, ruleForCommand, ruleForOperation } from './narrow-rule.ts'

/**
 * For one part of a call that needs approval: the narrowest rule that would allow it, or the reason
 * why there is none.
 */
export type RuleSuggestion =
  | { readonly what: string; readonly rule: string }
  | { readonly what: string; readonly reason: string }

/**
 * Limits for suggestions and the length of a rule, because users don't read more before approving
 * them.
 */
const MAX_SUGGESTIONS = 5
const MAX_LENGTH = 1000

/** Facts about a call that are not in the decision, for `suggestRuleForEach`. */
export interface SuggestOptions {
  /** True if the tool needs approval for every call, regardless of rules. */
  readonly dangerous?: boolean | undefined
}

/**
 * For each part of a decision that needs approval: the narrowest rule that would allow this part,
 * or the reason why there is none. Pass the same permissions as for the decision.
 */
export function suggestRuleForEach(
  decision: Pick<Decision, 'call' | 'parts' | 'verdict'>,
  permissions: Permissions,
  fileSystem: FileSystemView,
  options: SuggestOptions = {},
): Promise<readonly RuleSuggestion[]> {
  return judgeWithLookUps(
    fileSystem,
    (searchable) => suggestAtOnce(decision, permissions, searchable, options),
    (suggestions) => suggestions.map(({ what }) => ({ what, reason: UNKNOWN })),
  )
}

function suggestAtOnce(
  { call, parts, verdict }: Pick<Decision, 'call' | 'parts' | 'verdict'>,
  permissions: Permissions,
  fileSystem: SearchableFileSystem,
  { dangerous = false }: SuggestOptions,
): readonly RuleSuggestion[] {
  if (!call || verdict === 'deny') return []
  const asking = parts.filter((part) => part.verdict === 'ask')
  const none = (reason: string): RuleSuggestion[] => asking.map(({ what }) => ({ what, reason }))
  if (dangerous)
    return asking.length > 0 ? none(DANGEROUS) : [{ what: call.name, reason: DANGEROUS }]

  const { name } = call
  const access = resolve(name, (each) => permissions.tools?.get(each))?.access ?? {}
  const named = judgeName(name, permissions.rules, access)
  const isNamed = ({ what, why }: DecisionPart): boolean => what === named.what && why === named.why
  // If the whole call needs caution, no rule may allow its apparent parts.
  const doubt = asking.find((part) => !part.subject && !part.rule && !isNamed(part))
  if (doubt) return none(doubt.why)

  const startsElsewhere = access.runsIn !== undefined && call.args[access.runsIn] !== undefined
  const moves = startsElsewhere || parts.some(({ subject }) => isMove(subject))
  const found = asking.map((part) =>
    moves && part.subject && !('kind' in part.subject) && !part.rule
      ? { reason: ELSEWHERE }
      : readable(narrowRuleFor(part, name, fileSystem)),
  )
  const texts = new Set(found.flatMap((each) => ('rule' in each ? [each.rule] : [])))
  const tooMany = `${texts.size} rules are too many to read before approving them`
  if (texts.size > MAX_SUGGESTIONS)
    return asking.map(({ what }, at) => ({ what, reason: tooMany, ...reasonIn(found[at]!) }))

  const judgeBy = (rules: readonly Rule[]): Judge =>
    judgeParts(name, { access, rules, permissions, fileSystem })
  const judge = judgeBy(permissions.rules)
  // The suggested rule must be sufficient without other allow rules, of which there may be
  // thousands.
  const restricting = permissions.rules.filter((rule) => rule.verdict !== 'allow')
  const judges = new Map<string, Judge | undefined>()
  for (const text of texts) {
    const { rules, problems } = readRules({ allow: [text] }, { tools: permissions.tools })
    judges.set(text, problems.length > 0 ? undefined : judgeBy([...restricting, ...rules]))
  }
  return asking.map((part, at): RuleSuggestion => {
    const { what } = part
    const each = found[at]!
    if ('reason' in each) return { what, reason: each.reason }
    const judgeAgain = judges.get(each.rule)
    if (!judgeAgain) return { what, reason: 'no rule can cover it' }
    // If a part would be allowed on its own, something around it needs approval, which the rule
    // would not change.
    const again = judge(part).verdict === 'ask' ? judgeAgain(part) : undefined
    return again?.verdict === 'allow' && again.rule?.text === each.rule
      ? { what, rule: each.rule }
      : { what, reason: each.otherwise ?? part.why }
  })
}

/** True if a command changes the folder in which later commands run. */
function isMove(subject: DecisionPart['subject']): boolean {
  return subject !== undefined && 'words' in subject && MOVES.has(subject.words[0] ?? '')
}

const MOVES: ReadonlySet<string> = new Set(['cd', 'pushd', 'popd'])

const ELSEWHERE = 'the call changes the folder, and a rule for a command applies in every folder'

const UNKNOWN = 'depends on more folders than can be looked up'
const DANGEROUS = 'the tool is dangerous, so every call needs approval'

function narrowRuleFor(
  { subject, rule, real, why }: DecisionPart,
  name: string,
  fileSystem: FileSystemView,
): NarrowRule {
  // No allow rule overrides the rule behind this verdict, and the reason names that rule.
  if (rule) return { reason: why }
  if (!subject) return ruleForTool(name)
  return 'kind' in subject
    ? ruleForOperation(subject, { why, real, fileSystem })
    : ruleForCommand(subject)
}

function readable(found: NarrowRule): NarrowRule {
  if ('reason' in found || found.rule.length <= MAX_LENGTH) return found
  const { length } = found.rule
  return { reason: `a rule of ${length} characters is too long to read before approving it` }
}

function reasonIn(found: NarrowRule): { readonly reason?: string } {
  return 'reason' in found ? found : {}
}

/** Judges a part on its own. */
type Judge = (part: DecisionPart) => DecisionPart

function judgeParts(
  name: string,
  {
    access,
    rules,
    permissions,
    fileSystem,
  }: {
    readonly access: ToolAccess
    readonly rules: readonly Rule[]
    readonly permissions: Permissions
    readonly fileSystem: SearchableFileSystem
  },
): Judge {
  const command = judgeCommand(rules, fileSystem)
  const page = judgeFetch(rules)
  const file = judgeFile(rules, fileSystem, permissions)
  return ({ subject }) => {
    if (!subject) return judgeName(name, rules, access)
    if (!('kind' in subject)) return command(subject)
    return subject.kind === 'fetch' ? page(subject) : file(subject)
  }
}

/** The rules that "always" would add, without duplicates. */
export function suggestedRules(suggestions: readonly RuleSuggestion[]): string[] {
  return [...new Set(suggestions.flatMap((each) => ('rule' in each ? [each.rule] : [])))]
}
