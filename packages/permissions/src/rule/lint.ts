import { programNamed } from '../shell/programs/index.ts'
import { readCommandPattern } from '../shell/judge.ts'
import type { Rule } from './rule.ts'

/** Something a person should know about a rule. */
export interface RuleNote {
  readonly rule: Rule
  /** It can never match, it matches more than it seems to, or it says what a rule cannot say. */
  readonly about: 'never' | 'too-much' | 'cannot-say'
  readonly message: string
}

/** What a person should know about their rules. */
export function lintRules(rules: readonly Rule[]): RuleNote[] {
  const denies = rules.filter(({ verdict }) => verdict === 'deny')
  return rules.flatMap((rule, at) => {
    const note = (about: RuleNote['about'], message: string): RuleNote => ({ rule, about, message })
    const found: (RuleNote | undefined)[] = [
      rules.findIndex((other) => isSame(other, rule)) < at
        ? note('never', 'It is written twice.')
        : undefined,
      shadowed(rule, denies, note),
      rule.verdict === 'allow' ? broad(rule, note) : undefined,
      unsupported(rule, note),
    ]
    return found.filter((one) => one !== undefined)
  })
}

/** An alias in a rule means its tool. */
function isSame(one: Rule, other: Rule): boolean {
  return one.verdict === other.verdict && one.tool === other.tool && one.pattern === other.pattern
}

type MakeNote = (about: RuleNote['about'], message: string) => RuleNote

/** A deny wins whatever else is allowed. */
function shadowed(rule: Rule, denies: readonly Rule[], note: MakeNote): RuleNote | undefined {
  if (rule.verdict === 'deny') return undefined
  const over = denies.find(
    (deny) =>
      deny.tool === rule.tool &&
      (deny.pattern === undefined || deny.pattern === rule.pattern || coversPrefix(deny, rule)),
  )
  return over && note('never', `${over.text} denies all it speaks of, and a deny always wins.`)
}

/** Whether a deny of commands that begin so covers those that a rule speaks of. */
function coversPrefix(deny: Rule, rule: Rule): boolean {
  if (rule.tool !== 'Bash' || rule.pattern === undefined || deny.pattern === undefined) return false
  const [outer, inner] = [readCommandPattern(deny.pattern), readCommandPattern(rule.pattern)]
  if (typeof outer === 'string' || typeof inner === 'string') return false
  return outer.type === 'prefix' && outer.words.every((word, at) => inner.words[at] === word)
}

/** What reaches further than it seems to. */
function broad({ tool, pattern }: Rule, note: MakeNote): RuleNote | undefined {
  if (tool === 'Bash' && (pattern === undefined || pattern.trim() === '*')) {
    return note(
      'too-much',
      'It allows every plain command, rm among them. Name the commands you mean.',
    )
  }
  if (tool === 'Bash') return broadCommand(pattern ?? '', note)
  const everything = pattern === undefined || EVERYTHING.has(pattern)
  if ((tool === 'Edit' || tool === 'Write') && everything)
    return note(
      'too-much',
      'It allows writing every file of the workspace but protected ones. Name the folders you mean.',
    )
  if (tool === 'Read' && (pattern === '//**' || pattern === '~/**'))
    return note('too-much', 'It allows reading keys and passwords outside the workspace too.')
  if (tool === 'WebFetch' && (pattern === undefined || pattern === 'domain:*'))
    return note(
      'too-much',
      'It allows sending anything to any server: an address can carry data. Name the hosts.',
    )
  return tool.endsWith('__*')
    ? note('too-much', 'It allows every tool of that server, also those it adds later.')
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
    return note('never', `${name} ${usage.always}: only a rule with the whole command allows it.`)
  }
  if (program?.wrapper && !program.opaque && pattern.words.length === 1) {
    return note(
      'never',
      `${name} runs another command: that one needs a rule, and ${name} none of its own.`,
    )
  }
  return usage?.opaque
    ? note('too-much', `${name} runs code that no rule sees: this trusts every file it is given.`)
    : undefined
}

/** What a rule cannot say, whatever its words seem to. */
function unsupported({ tool, pattern, verdict }: Rule, note: MakeNote): RuleNote | undefined {
  if (tool !== 'Bash' || pattern === undefined) return undefined
  const read = readCommandPattern(pattern)
  if (typeof read === 'string') return undefined
  if (read.type === 'text') {
    return note(
      'cannot-say',
      'Commands are judged one by one: with operators it means only this very text, to the letter.',
    )
  }
  if (/^\w+=/.test(read.words[0] ?? ''))
    return note('cannot-say', 'Settings before a command are judged apart: name the command only.')
  if (
    verdict === 'allow' &&
    read.type !== 'exact' &&
    read.words.some((word) => word.includes('://'))
  )
    return note(
      'cannot-say',
      'It does not hold a command to an address: options and redirects lead elsewhere. WebFetch(domain:…) does.',
    )
  return undefined
}
