import type { Finish, Reply, ToolDefinition } from '@toolglot/core'
import type { IgnoredCall, Item, Place } from './item.ts'
import type { CheckedPicture } from '../draw/check-picture.ts'

/** The kinds of pieces of a reply. A piece stores the index of its kind in this list. */
export const KINDS = ['text', 'mark', 'reasoning', 'call', 'malformed', 'made-up'] as const
export type Kind = (typeof KINDS)[number]

/** Properties of a call, as bits. */
export const FLAGS = { repaired: 1, cut: 2, problem: 4 } as const

/** The parser options for a reply. */
export interface ReadOptions {
  /** `auto` for all protocols at once, `drawn` for the one in `drawn`, or the id of a protocol. */
  readonly protocol: string
  readonly tools?: readonly ToolDefinition[]
  readonly finish: Finish
  readonly startsInReasoning: boolean
  /** The text of a drawn protocol. */
  readonly drawn?: string
}

/** The pieces of a reply: each begins where the one before it ends. */
export interface Pieces {
  readonly kinds: Uint8Array
  readonly ends: Uint32Array
}

/** The number of findings in a reply. */
export interface Counts {
  readonly calls: number
  /** The number of calls that were cut off. */
  readonly cut: number
  /** The number of problems that would make calls fail. */
  readonly problems: number
  readonly repairs: number
  readonly malformed: number
  readonly forged: number
}

/** The progress of a replay: the findings after each chunk. Step 0 is before the first chunk. */
export interface Steps {
  /** The number of characters per chunk. */
  readonly chunk: number
  readonly count: number
  /** The number of pieces at each step. */
  readonly pieces: Uint32Array
  /** The end of the last piece at each step. */
  readonly places: Uint32Array
  /** The index in `openNames` of the call being written, or -1. */
  readonly open: Int32Array
  readonly openNames: readonly string[]
  /** The steps at which a piece began or ended. */
  readonly events: Uint32Array
  /** A few of the events, for drawing. */
  readonly ticks: readonly Tick[]
}

export type TickKind = 'call-start' | 'call-end' | 'malformed' | 'result'
export type Tick = readonly [step: number, kind: TickKind]

/** The reading. */
export interface Reading extends Pieces {
  readonly length: number
  /** False if the drawn protocol has errors; then the text is not parsed. */
  readonly hasProtocol: boolean
  readonly counts: Counts
  /** The listed pieces: all except marks and blank text. */
  readonly listed: Uint32Array
  /** The places of repairs. */
  readonly repairStarts: Uint32Array
  readonly repairEnds: Uint32Array
  /** The places at which parsing stopped in malformed pieces. */
  readonly stops: Uint32Array
  /** The searchable properties of each piece; see `FLAGS`. */
  readonly flags: Uint8Array
  /** Complete calls that are ignored because of their position. */
  readonly ignored: readonly IgnoredCall[]
  readonly steps: Steps
  /** The first items of the list. */
  readonly items: readonly Item[]
  /** The parsing time in milliseconds. */
  readonly time: number
}

/** An event in a step of the replay. */
export interface StepEvent {
  readonly type: string
  readonly text?: string
}

/** A reading shared by several protocols. */
export interface Track {
  /** The best-known protocols come first. */
  readonly protocols: readonly string[]
  readonly counts: Counts
  readonly hasReasoning: boolean
  /** Its pieces, merged where there are too many to see. */
  readonly strip: Pieces
}

/** The readings of all protocols. */
export interface Comparison {
  /** The drawn protocol's track first, then by agreement with the main reading. */
  readonly tracks: readonly Track[]
  readonly count: number
  /** The total time in milliseconds, and the part spent on parsing. */
  readonly time: number
  readonly readingTime: number
}

/** The protocols that got furthest in a text without calls, and why they stopped. */
export interface Reason {
  /** The protocols that found the start of a call, the furthest first. */
  readonly furthest: readonly {
    readonly protocol: string
    readonly expected: string
    readonly place: Place
  }[]
}

/** A protocol that can be chosen. */
export interface KnownProtocol {
  readonly id: string
  readonly about: string
}

/**
 * The requests to the worker. All except `read`, `check` and `protocols` refer to its latest text.
 */
export interface Questions {
  readonly read: {
    readonly input: {
      readonly text: string
      readonly options: ReadOptions
      /** The tools are the same as in the previous request, and are not sent again. */
      readonly hasSameTools?: boolean
      readonly chunk: number
      /** A reading by a protocol that only the server has. */
      readonly elsewhere?: Reply
    }
    readonly output: Reading
  }
  readonly compare: { readonly input: object; readonly output: Comparison }
  /** The pieces of one protocol's reading, after the comparison. */
  readonly pieces: { readonly input: { readonly protocol: string }; readonly output: Pieces }
  /** The first calls and malformed pieces of one protocol's reading, after the comparison. */
  readonly cards: {
    readonly input: { readonly protocol: string }
    readonly output: { readonly items: readonly Item[]; readonly left: number }
  }
  readonly explain: { readonly input: object; readonly output: Reason }
  readonly items: {
    readonly input: { readonly from: number; readonly to: number }
    readonly output: readonly Item[]
  }
  readonly events: {
    readonly input: { readonly step: number }
    readonly output: readonly StepEvent[]
  }
  /** The worker's protocols. */
  readonly protocols: { readonly input: object; readonly output: readonly KnownProtocol[] }
  readonly check: {
    /** `onlyRead` skips the laws, which take longer. */
    readonly input: { readonly source: string; readonly onlyRead: boolean }
    readonly output: CheckedPicture
  }
}

export type Question = keyof Questions

/** A message to the worker. */
export type Asked = {
  [Name in Question]: {
    readonly id: number
    readonly name: Name
    readonly input: Questions[Name]['input']
  }
}[Question]

/**
 * A message from the worker: the request was started, was stopped by a newer one, or has an answer.
 */
export type Told =
  | { readonly id: number; readonly type: 'begun' | 'outdated' }
  | { readonly id: number; readonly type: 'answer'; readonly output: unknown }
  | { readonly id: number; readonly type: 'failed'; readonly message: string }
