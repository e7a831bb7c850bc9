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

/** A text of which only the beginning may be here. */
export interface Excerpt {
  readonly text: string
  /** How many characters follow. */
  readonly left: number
}

/** Something in the list of what was understood. */
export type Item = {
  /** Its piece. */
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
      /** How many more arguments there are. */
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

/** A whole call that does not count because of where it is. */
export interface IgnoredCall {
  readonly why: 'reasoning' | 'code' | 'escaped'
  readonly name: string
  readonly from: number
  readonly to: number
}

/** A repair; where it acted is known only if the parser tells. */
export interface ShownRepair {
  readonly name: string
  /** The first places where it acted, and how many more there are. */
  readonly places: readonly { readonly was: Excerpt; readonly became: Excerpt }[]
  readonly left: number
}

/** A place in a text with a little of its line around it. */
export interface Place {
  readonly at: number
  /** Counted from 1. */
  readonly line: number
  readonly before: string
  readonly here: string
  readonly after: string
}
