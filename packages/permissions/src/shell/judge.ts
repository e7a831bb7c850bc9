import type { DecisionPart } from '../decide/decision.ts'
import { cachedByRules, decidedBy, type Rule, type Verdict } from '../rule/rule.ts'
import {
  exactPattern,
  readCommandPattern,
  type CommandPattern,
  matchesWildcard,
} from './pattern.ts'
import type { ShellCommand } from './script.ts'
import { baseName, forbids, normalizedWords } from './forbids.ts'

export { readCommandPattern }

/** Options for comparing commands with rules. */
export interface JudgeOptions {
  /** True if `RM` and `rm` are different programs. Default: true. */
  readonly caseSensitive?: boolean
}

interface Compiled {
  readonly rule: Rule
  readonly pattern: CommandPattern
}

type Judge = (command: ShellCommand) => DecisionPart

/**
 * Judges commands by the `Bash` rules, which are parsed once. Invalid rules are ignored, since
 * `readRules` reports them.
 */
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
  const indexed = (list: Compiled[]): Index | undefined =>
    list.length > 0 ? index(list, (name) => baseName(name, fold)) : undefined
  const deny = indexed(of('deny'))
  const ask = indexed(of('ask'))
  const allow = index(of('allow'), (name) => name)
  /** Code that can't be inspected could bypass a deny rule, unless the rule covers all commands. */
  const scoped = of('deny').some(({ pattern }) => pattern.type !== 'any')

  /** The deny or ask rule that covers a command. */
  const forbidding = (from: Index | undefined, words: readonly (string | undefined)[]) => {
    if (!from) return undefined
    const view = normalizedWords(words, fold)
    return from(view[0]).find(({ pattern }) => forbids(pattern, view, fold))?.rule
  }
  const forbiddingAny = (from: Index | undefined, { words, written }: ShellCommand) =>
    forbidding(from, words) ?? (written && forbidding(from, written))
  const allowing = (command: ShellCommand): Rule | undefined => {
    const own = allow(command.words[0]).find(
      ({ pattern }) =>
        (permits(pattern, command) || permits(pattern, shortened(command))) &&
        !(scoped && command.opaque && pattern.type === 'any'),
    )
    return own?.rule ?? (command.within && allowing(command.within))
  }

  return (command) => {
    const what = command.shown ?? command.text
    const part = (verdict: Verdict, why: string, rule?: Rule): DecisionPart =>
      rule
        ? { what, verdict, why, rule, subject: command }
        : { what, verdict, why, subject: command }
    const denied = forbiddingAny(deny, command)
    if (denied && command.guess && command.doubts.length)
      return part(
        'ask',
        `${command.doubts[0]!}; the rule ${denied.text} denies \`${cutOff(command.text)}\``,
        denied,
      )
    if (denied) return part('deny', decidedBy(denied), denied)
    const asked = forbiddingAny(ask, command)
    if (asked) return part('ask', decidedBy(asked), asked)
    if (command.guess) return part('allow', 'only a guess at what the text contains')
    if (command.wraps) return part('allow', 'only runs another command')
    const rule = allowing(command)
    if (rule) return part('allow', decidedBy(rule), rule)
    if (command.idle && !command.doubts.length && !command.reach)
      return part('allow', 'has no effect')
    return part('ask', whyNot(command, allow))
  }
}

/** The rule that matches exactly this text, including operators: `Bash(npm ci && npm test)`. */
export function ruleForText(
  rules: readonly Rule[],
  text: string,
  verdict: Verdict,
): Rule | undefined {
  const whole = trimmed(text)
  return textRules(rules).find(({ rule, text: own }) => rule.verdict === verdict && own === whole)
    ?.rule
}

/**
 * A shell command without surrounding blanks. To a shell, all other whitespace is part of a word.
 */
function trimmed(text: string): string {
  let [from, to] = [0, text.length]
  while (from < to && BLANKS.includes(text[from]!)) from++
  while (from < to && BLANKS.includes(text[to - 1]!)) to--
  return text.slice(from, to)
}

const BLANKS = ' \t\n'

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

/** Indexes rules by program, so that ten thousand rules cost no more than ten. */
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
  return (name) => {
    const own = name === undefined ? undefined : named.get(name)
    return own ? [...own, ...rest] : rest
  }
}

/**
 * The command without irrelevant options of a wrapper. The wrapped command follows the wrapper's
 * name.
 */
function shortened(command: ShellCommand): ShellCommand {
  const { shorter, reach, reachWord } = command
  if (!shorter || (reach && reachWord === undefined)) return command
  return { ...command, words: shorter, ...(reach && { reachWord: 1 }) }
}

/**
 * True if an allow rule covers a command: all of the command must be plain, unless the rule is
 * exactly the command.
 */
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

/** True if a rule contains a URL and the command has another one after it. */
const namesOtherAddress = ({ words }: CommandPattern, { addresses = [] }: ShellCommand): boolean =>
  addresses.some((at) => at < words.length) && addresses.some((at) => at >= words.length)

/**
 * A final `*` without a space before it (`git*`) is treated as if it had one: `gitk` is another
 * program.
 */
function matchesGlob(
  pattern: CommandPattern & { type: 'glob' },
  words: readonly string[],
): boolean {
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
  if (command.elsewhere) return 'runs in another folder and reads settings there'
  if (command.doubts.length)
    return `not plain text: ${[...new Set(command.doubts)].slice(0, 3).join(', ')}`
  const pattern = exactPattern(command.words)
  if (command.reach) {
    const rule = pattern === undefined ? '' : ` such as Bash(${cutOff(pattern)})`
    return `${command.reach}; only an exact rule${rule} would allow it`
  }
  if (
    name !== undefined &&
    name.includes('/') &&
    allow(name.slice(name.lastIndexOf('/') + 1)).length
  )
    return `${name} may be another program than the one that a rule allows by name`
  const advice = pattern === undefined ? '' : `; the rule Bash(${cutOff(pattern)}) would`
  if (command.opaque && name !== undefined)
    return `runs code that Toolglot can't inspect, and no rule allows it${advice}`
  if (command.words.includes(undefined) && allow(undefined).length > 0)
    return 'some of its words are unknown until it runs'
  return `no rule allows it${advice}`
}

const cutOff = (text: string): string => (text.length > 80 ? `${text.slice(0, 79)}…` : text)
