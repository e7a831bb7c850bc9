import type { ShellCommand } from '../shell/script.ts'
import type { Operation } from './operation.ts'
import type { Rule } from '../rule/rule.ts'
import type { Verdict } from '../rule/verdict.ts'

/** What is decided of one part of a call, and why. */
export interface DecisionPart {
  /** The part, for people: a simple command, a file that is read, a page that is fetched. */
  readonly what: string
  readonly verdict: Verdict
  /** In words, for people and for the model. */
  readonly why: string
  /** The rule that decided it, if one did. */
  readonly rule?: Rule
  /** What it was decided of. */
  readonly subject?: ShellCommand | Operation
  /** Where the path leads that it was decided of. */
  readonly real?: string
  /** It would ask, and is denied because there is nobody. */
  readonly unasked?: true
  /** It asks only because no rule speaks of it: nothing protects it, and it lies in the workspace or on the open web. */
  readonly unspoken?: boolean
}

/** What is decided of a call: the strictest of its parts. */
export interface Decision extends DecisionPart {
  readonly parts: readonly DecisionPart[]
  /** What was decided on, in the tool's own words, whichever name it was called by. Undefined: that could not be told. */
  readonly call?: { readonly name: string; readonly args: Readonly<Record<string, unknown>> }
  /** The rules or the call cannot be understood: it does not run, and nobody can allow it. */
  readonly error?: string
}
