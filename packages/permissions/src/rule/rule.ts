import type { Verdict } from './verdict.ts'

/** Where a rule was written. */
export interface RuleSource {
  readonly scope: RuleScope
  readonly file?: string
  /** Counted from 1. */
  readonly line?: number
  /** The folder that `/…` in its paths begins at: the one the settings belong to. */
  readonly root?: string
}

/** Whose settings: each may deny and ask; who may allow is decided where settings are merged. */
export type RuleScope = 'managed' | 'cli' | 'local' | 'project' | 'user'

/** One line of `allow`, `ask` or `deny`: `Bash(git status:*)`, `Read(src/**)`, `WebFetch(domain:go.dev)`, `Grep`. */
export interface Rule {
  readonly verdict: Verdict
  /** As it was written. */
  readonly text: string
  /** The tool's own name; `mcp__server__*` for all tools of a server. */
  readonly tool: string
  /** What stands in the parentheses, as it was written; undefined: every call of the tool. */
  readonly pattern?: string
  /** Of a rule that denies files: patterns of those that it does not mean after all. What lies in a denied folder stays denied. */
  readonly except?: readonly string[]
  readonly source: RuleSource
}

/** A rule that cannot be understood: nothing is allowed until it is mended. */
export interface RuleProblem {
  readonly text: string
  readonly problem: string
  readonly source: RuleSource
}
