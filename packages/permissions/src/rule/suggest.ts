import { type PermissionCall, resolve } from '../decide/call.ts'
import { decide, type Permissions } from '../decide/decide.ts'
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
import type { FileOperation, Operation } from '../decide/operation.ts'
import { showInvisible } from '../path/invisible.ts'
import { pathOf, segmentsOf } from '../path/segments.ts'
import { exactPattern } from '../shell/pattern.ts'
import type { ShellCommand } from '../shell/script.ts'
import { readUrl } from '../web/url.ts'

/**
 * The narrowest rules that would allow this call without asking again, one for each part that asks. Empty if rules can't
 * allow it, or if one would allow more than this call, such as an interpreter or a pattern.
 */
export async function suggestRules(
  call: PermissionCall,
  permissions: Permissions,
  fileSystem: FileSystemView,
): Promise<readonly string[]> {
  const decision = await decide(call, permissions, fileSystem)
  const texts = suggestedRules(await suggestRuleForEach(decision, permissions, fileSystem))
  if (texts.length === 0) return []
  const { rules } = readRules({ allow: texts }, { tools: permissions.tools })
  const after = await decide(
    call,
    { ...permissions, rules: [...permissions.rules, ...rules] },
    fileSystem,
  )
  return after.verdict === 'allow' ? texts : []
}

/** For one part of a call that needs approval: the narrowest rule that would allow it, or why there is none. */
export type RuleSuggestion =
  | { readonly what: string; readonly rule: string }
  | { readonly what: string; readonly reason: string }

/** Nobody reads a longer list, or a longer rule, before approving it. */
const MAX_SUGGESTIONS = 5
const MAX_LENGTH = 1000

/** The facts about a call besides the decision, for `suggestRuleForEach`. */
export interface SuggestOptions {
  /** The tool needs approval for every call, whatever rules allow. */
  readonly dangerous?: boolean | undefined
}

/**
 * For each part of a decision that needs approval: the narrowest rule that would allow this part, or the reason why there is
 * none. Pass the permissions that the decision was made with.
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
  // If the call as a whole needs caution, no rule may allow its apparent parts.
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
  // The suggested rule must be enough without other allow rules, of which there may be thousands.
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
    if (!judgeAgain) return { what, reason: 'no rule can name it' }
    // A part that would be allowed by itself asks because of something around it, which the rule would not change.
    const again = judge(part).verdict === 'ask' ? judgeAgain(part) : undefined
    return again?.verdict === 'allow' && again.rule?.text === each.rule
      ? { what, rule: each.rule }
      : { what, reason: each.otherwise ?? part.why }
  })
}

/** Whether a command changes the folder in which others run. */
function isMove(subject: DecisionPart['subject']): boolean {
  return subject !== undefined && 'words' in subject && MOVES.has(subject.words[0] ?? '')
}

const MOVES: ReadonlySet<string> = new Set(['cd', 'pushd', 'popd'])

const ELSEWHERE = 'the call changes the folder, and a rule for a command holds in every folder'

const UNKNOWN = 'depends on more folders than can be looked up'
const DANGEROUS = 'the tool is dangerous, so every call needs approval'

function narrowRuleFor(
  { subject, rule, real, why }: DecisionPart,
  name: string,
  fileSystem: FileSystemView,
): NarrowRule {
  // No allow rule overrides the rule that decided this, and the reason names it.
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

/** Judges a part by itself. */
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

/** The rules that "always" would add, each once. */
export function suggestedRules(suggestions: readonly RuleSuggestion[]): string[] {
  return [...new Set(suggestions.flatMap((each) => ('rule' in each ? [each.rule] : [])))]
}

/** The narrowest rule that may allow something, or the reason why none should be suggested: a phrase like `why`. */
type NarrowRule =
  | {
      readonly rule: string
      /** The reason to give if the rule turns out not to help. */
      readonly otherwise?: string
    }
  | { readonly reason: string }

/** A rule for a tool of which only the name is known. */
function ruleForTool(name: string): NarrowRule {
  if (name === 'BashInput') return { reason: 'what a program does with its input is unknown' }
  // Such a rule would be about all tools of a server.
  if (name.endsWith('__*')) return { reason: 'no rule can name it' }
  return { rule: name, otherwise: 'no rule can name it' }
}

/** A rule for exactly this command. */
function ruleForCommand(command: ShellCommand): NarrowRule {
  const { words, doubts, reach, opaque, elsewhere, within, fed } = command
  if (elsewhere) return { reason: 'runs in another folder and reads settings there' }
  if (doubts.length > 0)
    return { reason: `not plain text: ${[...new Set(doubts)].slice(0, 3).join(', ')}` }
  if (reach !== undefined) return { reason: reach }
  if (opaque) return { reason: "runs code that Toolglot can't inspect" }
  // A command that is harmless by itself may not be so as another user, or on another machine.
  if (within)
    return { reason: `run by another command, which has no rule: ${within.text.slice(0, 80)}` }
  if (fed) return { reason: 'gets input, and a rule for the command holds for any input' }
  if (words.includes(undefined)) return { reason: 'some of its words are unknown until it runs' }
  const pattern = exactPattern(words)
  return pattern === undefined
    ? { reason: 'contains "*", which means any text in a rule' }
    : { rule: `Bash(${pattern})` }
}

/** The facts about an operation that needs approval. */
interface Judged {
  readonly why: string
  readonly real: string | undefined
  readonly fileSystem: FileSystemView
}

/** A rule for exactly this file, or for the host of a page. */
function ruleForOperation(operation: Operation, judged: Judged): NarrowRule {
  return operation.kind === 'fetch'
    ? ruleForHost(operation.url, judged.why)
    : ruleForFile(operation, judged)
}

function ruleForHost(url: string | undefined, why: string): NarrowRule {
  const address = url === undefined ? undefined : readUrl(url)
  if (address === undefined || typeof address === 'string') return { reason: why }
  const { hostname, port } = address.url
  if (hostname.includes('*')) return { reason: 'contains "*", which means any host in a rule' }
  return {
    rule: `WebFetch(domain:${hostname})`,
    ...(address.customPort && { otherwise: `rules do not cover port ${port}` }),
  }
}

function ruleForFile(operation: FileOperation, { why, real, fileSystem }: Judged): NarrowRule {
  const { kind, path, cwd = fileSystem.cwd, removes, each, tool } = operation
  if (path === undefined || real === undefined) return { reason: why }
  if (removes) return { reason: 'removes it' }
  if (each) return { reason: 'affects many files' }
  const given = pathOf(segmentsOf(path.startsWith('/') ? path : `${cwd}/${path}`))
  if (given !== real)
    return { reason: `leads to ${showInvisible(real)}, and one rule does not cover both names` }
  return { rule: fileRule(ownerOf(kind, tool), real) }
}

/** The tool whose rule covers no more than this. A rule for reading a folder covers all that is in it. */
function ownerOf(kind: FileOperation['kind'], tool: string | undefined): string {
  if (kind === 'write') return 'Edit'
  if (tool !== undefined && READERS.has(tool)) return tool
  return kind === 'list' ? 'Glob' : 'Read'
}

/** Tools whose rules cover only their own calls. */
const READERS: ReadonlySet<string> = new Set(['Grep', 'Glob', 'LSP'])

/** A rule for exactly one path, which is absolute. */
function fileRule(tool: string, path: string): string {
  const literal = path.replaceAll(/[\\*?[\]{}!]/g, (character) => `\\${character}`)
  return `${tool}(/${literal})`
}
