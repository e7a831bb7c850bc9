// Folder: Rules: parsed, printed and suggested.
/** The place where a rule was written. */
export interface RuleSource {
  readonly scope: RuleScope
  readonly file?: string
  /** The line number, starting at 1. */
  readonly line?: number
  /** The folder of the settings. Paths that start with `/` are relative to it. */
  readonly root?: string
}

/** The origin of the settings that contain a rule. */
export type RuleScope = 'managed' | 'cli' | 'local' | 'project' | 'user'

/**
 * One entry in `allow`, `ask` or `deny`: `Bash(git status:*)`, `Read(src/**)`,
 * `WebFetch(domain:go.dev)`, `Grep`.
 */
export interface Rule {
  readonly verdict: Verdict
  /** The text as written. */
  readonly text: string
  /** The tool's own name, or `mcp__server__*` for all tools of a server. */
  readonly tool: string
  /** The text in parentheses. Undefined if the rule covers every call of the tool. */
  readonly pattern?: string
  /**
   * Patterns of exceptions, in a rule that denies files. A file in a denied folder remains denied.
   */
  readonly except?: readonly string[]
  readonly source: RuleSource
}

/** The reason for a verdict that a rule decided. */
export function decidedBy({ verdict, text }: Rule): string {
  const effect = { allow: 'allows it', ask: 'requires approval', deny: 'denies it' }[verdict]
  return `the rule ${text} ${effect}`
}

/** An invalid rule. Every call is denied until it is fixed. */
export interface RuleProblem {
  readonly text: string
  /** A sentence about the problem. */
  readonly problem: string
  readonly source: RuleSource
}

/** The verdict on a call: it runs, needs approval first, or doesn't run. */
export type Verdict = 'allow' | 'ask' | 'deny'

const ORDER: readonly Verdict[] = ['allow', 'ask', 'deny']

/** The strictest of several verdicts: one denied part denies the whole call. */
export function strictest(verdicts: Iterable<Verdict>): Verdict {
  let worst = 0
  for (const verdict of verdicts) worst = Math.max(worst, ORDER.indexOf(verdict))
  return ORDER[worst]!
}

/** Caches a function of a list of rules, with the list as the key, until the list changes. */
export function cachedByRules<Read>(
  read: (rules: readonly Rule[]) => Read,
): (rules: readonly Rule[]) => Read {
  const known = new WeakMap<readonly Rule[], { rules: readonly Rule[]; read: Read }>()
  return (rules) => {
    const before = known.get(rules)
    if (before && isSame(before.rules, rules)) return before.read
    const found = { rules: [...rules], read: read(rules) }
    known.set(rules, found)
    return found.read
  }
}

function isSame(before: readonly Rule[], now: readonly Rule[]): boolean {
  return before.length === now.length && before.every((rule, at) => rule === now[at])
}
