import type { Problem } from '@toolglot/core'
import type { Fault } from '../../sandbox/form/faults.ts'

/** Reasons to trust a call less. */
export const FACTS = [
  'inReasoning',
  'fenced',
  'markerless',
  'afterMalformed',
  'afterResult',
  'otherProtocol',
  'argsMissing',
] as const
export type Fact = (typeof FACTS)[number]

/** A text that may be truncated. */
export interface Excerpt {
  readonly text: string
  /** The number of omitted characters. */
  readonly left: number
}

/** An entry in the list of pieces. */
export type Item = {
  /** The index of its piece. */
  readonly at: number
  readonly from: number
  readonly to: number
} & (
  | { readonly kind: 'text' | 'reasoning' | 'made-up'; readonly excerpt: Excerpt }
  | {
      readonly kind: 'call'
      readonly name: string
      readonly protocol: string
      readonly isComplete: boolean
      readonly args: readonly { readonly name: string; readonly value: Excerpt }[]
      /** The number of omitted arguments. */
      readonly argsLeft: number
      readonly reason?: string
      readonly repairs: readonly ShownRepair[]
      readonly facts: readonly Fact[]
      /** Why it would fail. */
      readonly problems: readonly CallProblem[]
    }
  | {
      readonly kind: 'malformed'
      readonly problem: Problem
      readonly hint: string
      readonly place: Place
    }
)

/** Why a call would fail. */
export type CallProblem =
  | { readonly type: 'unknown-tool'; readonly similar?: string }
  | { readonly type: 'unknown-argument'; readonly argument: string; readonly similar?: string }
  | {
      readonly type: 'argument'
      readonly argument: string
      readonly fault: Fault
      readonly got?: string
    }
  | { readonly type: 'mistyped'; readonly got: string }

/** A complete call that is ignored because of its position. */
export interface IgnoredCall {
  readonly why: 'reasoning' | 'code' | 'escaped'
  readonly name: string
  readonly from: number
  readonly to: number
}

/** A repair; its places are known only if the parser reports them. */
export interface ShownRepair {
  readonly name: string
  /** The first places of the repair, and the number of omitted ones. */
  readonly places: readonly { readonly was: Excerpt; readonly became: Excerpt }[]
  readonly left: number
}

/** A place in a text with an excerpt of its line. */
export interface Place {
  readonly at: number
  /** From 1. */
  readonly line: number
  readonly before: string
  readonly here: string
  readonly after: string
}
