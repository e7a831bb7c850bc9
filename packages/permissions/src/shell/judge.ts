import type { DecisionPart } from '../decide/decision.ts'
import { cachedByRules } from '../rule/cache.ts'
import type { Rule } from '../rule/rule.ts'
import type { Verdict } from '../rule/verdict.ts'
import { exactPattern, readCommandPattern, type CommandPattern } from './pattern.ts'
import type { ShellCommand } from './script.ts'
import { baseName, forbids, normalizedWords } from './forbids.ts'
import { matchesWildcard } from './wildcard.ts'

export { readCommandPattern }

export interface JudgeOptions {
  /** Whether `RM` and `rm` are two programs. */
  readonly caseSensitive?: boolean
}

interface Compiled {
  readonly rule: Rule
  readonly pattern: CommandPattern
}

type Judge = (command: ShellCommand) => DecisionPart

/** Decides of commands by the rules for `Bash`, read once. Rules that cannot be read decide nothing: whoever reads settings says so. */
export function judgeCommand(
  rules: readonly Rule[],
  { caseSensitive = true }: JudgeOptions = {},
): Judge {
  return caseSensitive ? judgeAsWritten(rules) : judgeInAnyCase(rules)
}

const judgeAsWritten = cachedByRules((rules) => judgeBy(rules, (word) => word))
const judgeInAnyCase = cachedByRules((rules) => judgeBy(rules, (word) => word.toLowerCase()))

function judgeBy(rules: readonly Rule[], fold: (word: string) => string): Judge {
  const compiled = rules.flatMap((rule): Compiled[] => {
    if (rule.tool !== 'Bash') return []
    const pattern = rule.pattern === undefined ? ANY : readCommandPattern(rule.pattern)
    return typeof pattern === 'string' ? [] : [{ rule, pattern }]
  })
  const of = (verdict: Verdict): Compiled[] =>
    compiled.filter(({ rule }) => rule.verdict === verdict)
  const deny = index(of('deny'), (name) => baseName(name, fold))
  const ask = index(of('ask'), (name) => baseName(name, fold))
  const allow = index(of('allow'), (name) => name)
  /** A deny that does not mean everything can be got round by what nobody sees. */
  const scoped = of('deny').some(({ pattern }) => pattern.type !== 'any')

  /** A rule that forbids the command, if there is one. */
  const forbidding = (from: Index, words: readonly (string | undefined)[]) => {
    const view = normalizedWords(words, fold)
    return from(view[0]).find(({ pattern }) => forbids(pattern, view, fold))?.rule
  }
  const allowing = (command: ShellCommand): Rule | undefined => {
    const own = allow(command.words[0]).find(
      ({ pattern }) =>
        permits(pattern, command) && !(scoped && command.opaque && pattern.type === 'any'),
    )
    return own?.rule ?? (command.within && allowing(command.within))
  }

  const decided = (command: ShellCommand): DecisionPart => {
    const what = command.text
    const denied = forbidding(deny, command.words)
    if (denied && command.guess && command.doubts.length)
      return {
        what,
        verdict: 'ask',
        why: `${command.doubts[0]!}; ${denied.text} denies \`${shortened(what)}\``,
        rule: denied,
      }
    if (denied) return { what, verdict: 'deny', why: `${denied.text} denies it`, rule: denied }
    const asked = forbidding(ask, command.words)
    if (asked) return { what, verdict: 'ask', why: `${asked.text} asks about it`, rule: asked }
    if (command.guess) return { what, verdict: 'allow', why: 'it is only one way to read the text' }
    if (command.wraps) return { what, verdict: 'allow', why: 'it only runs the command inside it' }
    const rule = allowing(command)
    if (rule) return { what, verdict: 'allow', why: `${rule.text} allows it`, rule }
    if (command.idle && !command.doubts.length && !command.reach)
      return { what, verdict: 'allow', why: 'it does nothing by itself' }
    return { what, verdict: 'ask', why: whyNot(command, allow) }
  }
  return (command) => ({ ...decided(command), subject: command })
}

/** The rule that means exactly this whole text, operators and all: `Bash(npm ci && npm test)`. */
export function ruleForText(
  rules: readonly Rule[],
  text: string,
  verdict: Verdict,
): Rule | undefined {
  // A shell takes other blanks for parts of words.
  const whole = text.replace(/^[ \t\n]+|[ \t\n]+$/g, '')
  return textRules(rules).find(({ rule, text: own }) => rule.verdict === verdict && own === whole)
    ?.rule
}

const textRules = cachedByRules((rules) =>
  rules.flatMap((rule) => {
    if (rule.tool !== 'Bash' || rule.pattern === undefined) return []
    const pattern = readCommandPattern(rule.pattern)
    return typeof pattern !== 'string' && pattern.type === 'text'
      ? [{ rule, text: pattern.text }]
      : []
  }),
)

const ANY: CommandPattern = { type: 'any', words: [], text: '*' }

type Index = (name: string | undefined) => readonly Compiled[]

/** Rules by the program they name, so that ten thousand cost no more than ten. */
function index(rules: readonly Compiled[], key: (name: string) => string): Index {
  const named = new Map<string, Compiled[]>()
  const rest: Compiled[] = []
  for (const entry of rules) {
    const [name] = entry.pattern.words
    const list =
      name === undefined || entry.pattern.type === 'text' ? rest : (named.get(key(name)) ?? [])
    list.push(entry)
    if (list !== rest) named.set(key(name!), list)
  }
  return (name) => [...((name !== undefined && named.get(name)) || []), ...rest]
}

/** Whether a rule that allows means the command: only if all of it is plain, or the rule says it to the letter. */
function permits(pattern: CommandPattern, command: ShellCommand): boolean {
  const { words } = command
  if (command.elsewhere) return false
  if ((pattern.type === 'exact' || pattern.type === 'glob') && pattern.text === command.text)
    return true
  if (command.doubts.length || !words.length) return false
  const begins = pattern.words.every((word, at) => word === words[at])
  const stated =
    command.reach === undefined ||
    (command.reachWord !== undefined && command.reachWord < pattern.words.length)
  switch (pattern.type) {
    case 'exact':
      return begins && words.length === pattern.words.length
    case 'prefix':
      return begins && stated && !namesOtherAddress(pattern, command)
    case 'any':
      return command.reach === undefined && !words.includes(undefined)
    case 'glob':
      return (
        begins &&
        stated &&
        !words.includes(undefined) &&
        !namesOtherAddress(pattern, command) &&
        matchesGlob(pattern, words as string[])
      )
    default:
      return false
  }
}

/** Whether a rule names an address, and the command goes on to another. */
const namesOtherAddress = ({ words }: CommandPattern, { addresses = [] }: ShellCommand): boolean =>
  addresses.some((at) => at < words.length) && addresses.some((at) => at >= words.length)

/** A last `*` without a blank before it (`git*`) is read as one with it: `gitk` is another program. */
function matchesGlob(pattern: CommandPattern & { type: 'glob' }, words: readonly string[]): boolean {
  const text = words.join(' ')
  if (!pattern.loose)
    return pattern.text.endsWith(' *')
      ? matchesWildcard(pattern.text, `${text} `)
      : matchesWildcard(pattern.text, text)
  const bare = pattern.text.slice(0, -1)
  return text === bare || text.startsWith(`${bare} `)
}

function whyNot(command: ShellCommand, allow: Index): string {
  const name = command.words[0]
  if (command.elsewhere) return 'it runs in another folder, whose settings it obeys'
  if (command.doubts.length)
    return `it is not plain text: ${[...new Set(command.doubts)].slice(0, 3).join(', ')}`
  const pattern = exactPattern(command.words)
  if (command.reach) {
    const why = `${/^[-`]|^its? /.test(command.reach) ? '' : 'it '}${command.reach}`
    const rule = pattern === undefined ? '' : `, Bash(${shortened(pattern)})`
    return `${why}: only a rule that says so to the letter allows it${rule}`
  }
  if (
    name !== undefined &&
    name.includes('/') &&
    allow(name.slice(name.lastIndexOf('/') + 1)).length
  )
    return `${name} is another program than the one of that name that a rule allows`
  const advice = pattern === undefined ? '' : `; the rule Bash(${shortened(pattern)}) would`
  if (command.opaque && name !== undefined)
    return `it runs code that Toolglot cannot inspect, and no rule allows it${advice}`
  if (command.words.includes(undefined) && allow(undefined).length > 0)
    return 'some of its words are known only when it runs'
  return `no rule allows it${advice}`
}

const shortened = (text: string): string => (text.length > 80 ? `${text.slice(0, 79)}…` : text)
