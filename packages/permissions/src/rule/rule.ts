import type { Verdict } from './verdict.ts'

/** Where a rule was written. */
export interface RuleSource {
  readonly scope: RuleScope
  readonly file?: string
  /** Counted from 1. */
  readonly line?: number
  /** The folder that paths starting with `/` are relative to: the one the settings belong to. */
  readonly root?: string
}

/** Whose settings a rule is from. */
export type RuleScope = 'managed' | 'cli' | 'local' | 'project' | 'user'

/** One line of `allow`, `ask` or `deny`: `Bash(git status:*)`, `Read(src/**)`, `WebFetch(domain:go.dev)`, `Grep`. */
export interface Rule {
  readonly verdict: Verdict
  /** As it was written. */
  readonly text: string
  /** The tool's own name, or `mcp__server__*` for all tools of a server. */
  readonly tool: string
  /** The text in the parentheses. Undefined: every call of the tool. */
  readonly pattern?: string
  /** For a rule that denies files: patterns of exceptions. A file in a denied folder stays denied. */
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
  /** What is wrong with it: a sentence. */
  readonly problem: string
  readonly source: RuleSource
}
