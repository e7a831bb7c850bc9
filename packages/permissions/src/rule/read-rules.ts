import { mustBe, unknownName } from '../error-texts.ts'
import { readPathPattern } from '../path/pattern.ts'
import { readCommandPattern } from '../shell/judge.ts'
import { readDomainPattern } from '../web/url.ts'
import { type OtherTools, isServerTool, resolve } from '../decide/call.ts'
import { canonicalTools } from '../decide/canonical-tools.ts'
import { isMap, isObject } from '../decide/wrong-input.ts'
import type { Rule, RuleProblem, RuleSource, Verdict } from './rule.ts'

/**
 * Rules as users write them, by verdict: `{ allow: ['Bash(git status:*)'], deny: ['Read(.env)'] }`.
 */
export type RuleTexts = { readonly [verdict in Verdict]?: readonly unknown[] }

/** The source of the rules, and the tools that they may refer to. */
export interface ReadRulesOptions {
  /** Default: the user's settings. */
  readonly source?: RuleSource | undefined
  /** Tools in addition to the canonical ones, and aliases. */
  readonly tools?: OtherTools | undefined
}

/** Valid and invalid rules, in the form of permissions for `decide`. */
export interface ReadRules {
  readonly rules: readonly Rule[]
  readonly problems: readonly RuleProblem[]
  /** The tools that were passed to `readRules`. */
  readonly tools?: OtherTools
}

/**
 * Reads rules. Invalid rules are reported as problems, and `decide` denies everything until they
 * are fixed.
 */
export function readRules(
  texts: RuleTexts,
  { source = { scope: 'user' }, tools: given }: ReadRulesOptions = {},
): ReadRules {
  const rules: Rule[] = []
  const problems: RuleProblem[] = wrongTexts(texts).map((wrong) => ({ ...wrong, source }))
  const tools = isMap(given) ? given : undefined
  if (given !== undefined && tools === undefined)
    problems.push({ text: 'tools', problem: 'tools must be a Map of tools by name.', source })
  for (const verdict of VERDICTS) {
    const list: unknown = isObject(texts) ? texts[verdict] : undefined
    for (const text of Array.isArray(list) ? (list as readonly unknown[]) : []) {
      const rule = readRule(text, verdict, source, tools)
      if (typeof rule !== 'string') rules.push(rule)
      else problems.push({ text: shown(text), problem: rule, source })
    }
  }
  return { rules, problems, tools }
}

const VERDICTS = ['deny', 'ask', 'allow'] as const

/** The problem with the lists themselves, for untyped callers. */
function wrongTexts(texts: unknown): Omit<RuleProblem, 'source'>[] {
  if (!isObject(texts))
    return [
      {
        text: shown(texts),
        problem: mustBe('permissions', 'lists of rules: { allow, ask, deny }'),
      },
    ]
  return Object.entries(texts).flatMap(([key, list]) => {
    if (!VERDICTS.some((verdict) => verdict === key)) {
      return [{ text: key, problem: unknownName('list', key, VERDICTS) }]
    }
    if (list === undefined || Array.isArray(list)) return []
    return [{ text: shown(list), problem: `${key} must be a list: [${shown(list)}].` }]
  })
}

/** One rule, or a description of its problem. */
function readRule(
  text: unknown,
  verdict: Verdict,
  source: RuleSource,
  others?: OtherTools,
): Rule | string {
  if (typeof text !== 'string') return mustBe('A rule', 'a string such as "Read(src/**)"', text)
  const open = text.indexOf('(')
  const name = open < 0 ? text : text.slice(0, open)
  const resolved = resolve(name, (each) => others?.get(each))
  if (resolved?.alias?.narrow)
    return `${name} is an alias that makes a ${resolved.name} call. Write a rule for ${resolved.name} instead.`
  const tool = isWholeServer(name) ? `${name}__*` : (resolved?.name ?? name)
  if (!resolved && !isServer(tool)) return unknownTool(name, others)
  if (open < 0) return { verdict, text, tool, source }
  if (!text.endsWith(')')) return 'The closing ")" is missing.'
  const pattern = text.slice(open + 1, -1)
  const read = PATTERNS.get(tool)
  if (!read) return `${tool} takes no pattern. Write "${tool}".`
  const problem = read(pattern, source)
  return problem ?? { verdict, text, tool, pattern, source }
}

type Check = (pattern: string, source: RuleSource) => string | undefined

const check =
  (read: (pattern: string, source: RuleSource) => unknown): Check =>
  (pattern, source) => {
    const found = read(pattern, source)
    return typeof found === 'string' ? found : undefined
  }

const path = check(readPathPattern)
const domain = check(readDomainPattern)

/** Checks of the text in parentheses, by tool. */
const PATTERNS: ReadonlyMap<string, Check> = new Map([
  ['Bash', check(readCommandPattern)],
  ['Read', path],
  ['Write', path],
  ['Edit', path],
  ['Glob', path],
  ['Grep', path],
  ['LSP', path],
  ['WebFetch', domain],
  ['WebSearch', domain],
])

/** True for `mcp__server`, short for `mcp__server__*`. Server names contain no `__`. */
function isWholeServer(name: string): boolean {
  return /^mcp__[A-Za-z0-9-]+(?:_[A-Za-z0-9-]+)*$/.test(name)
}

/** True for `mcp__server__*`: all tools of one server. */
function isServer(name: string): boolean {
  return name.endsWith('__*') && isServerTool(`${name.slice(0, -1)}x`)
}

function unknownTool(name: string, others: OtherTools = new Map()): string {
  if (name === '' || name === '*') return 'The name of a tool is missing.'
  const own = [...others].flatMap(([other, { alias }]) => (alias ? [] : [other]))
  const known = [...own, ...canonicalTools.keys()]
  return unknownName('tool', name, known)
}

function shown(text: unknown): string {
  return typeof text === 'string' ? text : (JSON.stringify(text) ?? typeof text)
}
