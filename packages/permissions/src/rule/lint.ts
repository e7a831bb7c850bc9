import { programNamed } from '../shell/programs/index.ts'
import { readCommandPattern } from '../shell/judge.ts'
import type { Rule } from './rule.ts'

/** A warning about a rule. */
export interface RuleNote {
  readonly rule: Rule
  /** The rule has no effect, allows more than it seems to, or expresses something that rules can't. */
  readonly about: 'never' | 'too-much' | 'cannot-say'
  /** One or two sentences. */
  readonly message: string
}

/** Finds rules that have no effect, allow more than they seem to, or can't work as written. */
export function lintRules(rules: readonly Rule[]): RuleNote[] {
  const denies = rules.filter(({ verdict }) => verdict === 'deny')
  return rules.flatMap((rule, at) => {
    const note = (about: RuleNote['about'], message: string): RuleNote => ({ rule, about, message })
    const found: (RuleNote | undefined)[] = [
      rules.findIndex((other) => isSame(other, rule)) < at
        ? note('never', 'Duplicate rule.')
        : undefined,
      shadowed(rule, denies, note),
      rule.verdict === 'allow' ? broad(rule, note) : undefined,
      unsupported(rule, note),
    ]
    return found.filter((one) => one !== undefined)
  })
}

/** True if two rules are equivalent. Aliases have already been replaced by their tools. */
function isSame(one: Rule, other: Rule): boolean {
  return one.verdict === other.verdict && one.tool === other.tool && one.pattern === other.pattern
}

type MakeNote = (about: RuleNote['about'], message: string) => RuleNote

/** A deny rule overrides all other rules. */
function shadowed(rule: Rule, denies: readonly Rule[], note: MakeNote): RuleNote | undefined {
  if (rule.verdict === 'deny') return undefined
  const over = denies.find(
    (deny) =>
      deny.tool === rule.tool &&
      (deny.pattern === undefined || deny.pattern === rule.pattern || coversPrefix(deny, rule)),
  )
  return (
    over &&
    note('never', `No effect: ${over.text} denies everything it covers, and deny always wins.`)
  )
}

/** True if a deny rule with a command prefix covers all commands of another rule. */
function coversPrefix(deny: Rule, rule: Rule): boolean {
  if (rule.tool !== 'Bash' || rule.pattern === undefined || deny.pattern === undefined) return false
  const [outer, inner] = [readCommandPattern(deny.pattern), readCommandPattern(rule.pattern)]
  if (typeof outer === 'string' || typeof inner === 'string') return false
  return outer.type === 'prefix' && outer.words.every((word, at) => inner.words[at] === word)
}

/** A rule that allows more than it seems to. */
function broad({ tool, pattern }: Rule, note: MakeNote): RuleNote | undefined {
  if (tool === 'Bash' && (pattern === undefined || pattern.trim() === '*')) {
    return note('too-much', 'Allows every plain command, including rm. Name the commands you mean.')
  }
  if (tool === 'Bash') return broadCommand(pattern ?? '', note)
  const everything = pattern === undefined || EVERYTHING.has(pattern)
  if ((tool === 'Edit' || tool === 'Write') && everything)
    return note(
      'too-much',
      'Allows writing every file in the workspace except protected ones. Name the folders you mean.',
    )
  if (tool === 'Read' && (pattern === '//**' || pattern === '~/**'))
    return note('too-much', 'Also allows reading keys and passwords outside the workspace.')
  if (tool === 'WebFetch' && (pattern === undefined || pattern === 'domain:*'))
    return note(
      'too-much',
      'Allows sending data to any server, since a URL can carry data. Name the hosts.',
    )
  return tool.endsWith('__*')
    ? note('too-much', 'Allows every tool of that server, including those it adds later.')
    : undefined
}

const EVERYTHING = new Set(['**', '*', './**', '/**'])

function broadCommand(text: string, note: MakeNote): RuleNote | undefined {
  const pattern = readCommandPattern(text)
  if (typeof pattern === 'string' || (pattern.type !== 'prefix' && pattern.type !== 'glob'))
    return undefined
  const [name] = pattern.words
  const program = name === undefined ? undefined : programNamed(name)
  const usage = program?.commands?.[pattern.words[1] ?? ''] ?? program
  if (usage?.always !== undefined) {
    return note(
      'never',
      `No effect: ${name} ${usage.always}. Only a rule with the exact command allows it.`,
    )
  }
  if (program?.wrapper?.clear && !program.opaque && pattern.words.length === 1) {
    return note(
      'never',
      `No effect: ${name} runs another command. Write a rule for that command; ${name} needs none.`,
    )
  }
  return usage?.opaque
    ? note(
        'too-much',
        `${name} runs code that rules can't inspect. This rule trusts every file it is given.`,
      )
    : undefined
}

/** A rule that expresses something rules don't support. */
function unsupported({ tool, pattern, verdict }: Rule, note: MakeNote): RuleNote | undefined {
  if (tool !== 'Bash' || pattern === undefined) return undefined
  const read = readCommandPattern(pattern)
  if (typeof read === 'string') return undefined
  if (read.type === 'text') {
    return note(
      'cannot-say',
      'Commands are judged one by one. With operators, a rule matches only this exact text.',
    )
  }
  if (/^\w+=/.test(read.words[0] ?? ''))
    return note('cannot-say', 'Variable assignments are judged separately. Name only the command.')
  if (
    verdict === 'allow' &&
    read.type !== 'exact' &&
    read.words.some((word) => word.includes('://'))
  )
    return note(
      'cannot-say',
      "Doesn't limit the command to this URL: options and redirects lead elsewhere. Use WebFetch(domain:…).",
    )
  return undefined
}
