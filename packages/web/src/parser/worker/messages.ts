import type { Finish, Reply, ToolDefinition } from '@toolglot/core'
import type { IgnoredCall, Item, Place } from './item.ts'
import type { CheckedPicture } from '../draw/check-picture.ts'

/** The kinds of pieces of a reply. A piece has its kind's index in this list. */
export const KINDS = ['text', 'mark', 'reasoning', 'call', 'malformed', 'made-up'] as const
export type Kind = (typeof KINDS)[number]

/** Properties of a call, as bits. */
export const FLAGS = { repaired: 1, cut: 2, problem: 4 } as const

/** How to read a reply. */
export interface ReadOptions {
  /** `auto` for all at once, `drawn` for the one of `drawn`, or the id of one. */
  readonly protocol: string
  readonly tools?: readonly ToolDefinition[]
  readonly finish: Finish
  readonly startsInReasoning: boolean
  /** A protocol as a picture. */
  readonly drawn?: string
}

/** The pieces of a reply: each begins where the one before it ends. */
export interface Pieces {
  readonly kinds: Uint8Array
  readonly ends: Uint32Array
}

/** How much was found in a reply. */
export interface Counts {
  readonly calls: number
  /** How many of them were cut off. */
  readonly cut: number
  /** How many reasons there are for calls to fail. */
  readonly problems: number
  readonly repairs: number
  readonly malformed: number
  readonly forged: number
}

/** How a replay goes: what was known after each chunk. Step 0 is before the first. */
export interface Steps {
  /** How many characters arrive at a time. */
  readonly chunk: number
  readonly count: number
  /** How many pieces there were. */
  readonly pieces: Uint32Array
  /** Where the last of them ended then. */
  readonly places: Uint32Array
  /** Which of `openNames` was being written, or -1. */
  readonly open: Int32Array
  readonly openNames: readonly string[]
  /** The steps at which something began or ended. */
  readonly events: Uint32Array
  /** A few of them, to be drawn. */
  readonly ticks: readonly Tick[]
}

export type TickKind = 'call-start' | 'call-end' | 'malformed' | 'result'
export type Tick = readonly [step: number, kind: TickKind]

/** The reading. */
export interface Reading extends Pieces {
  readonly length: number
  /** False if the drawn protocol has errors: then nothing is read in the text. */
  readonly hasProtocol: boolean
  readonly counts: Counts
  /** The pieces that are listed: all but marks and blank text. */
  readonly listed: Uint32Array
  /** Where repairs acted. */
  readonly repairStarts: Uint32Array
  readonly repairEnds: Uint32Array
  /** Where reading stopped in what is malformed. */
  readonly stops: Uint32Array
  /** The properties of each piece that can be searched for; see `FLAGS`. */
  readonly flags: Uint8Array
  /** Whole calls that do not count, because of where they are. */
  readonly ignored: readonly IgnoredCall[]
  readonly steps: Steps
  /** The first of those that are listed. */
  readonly items: readonly Item[]
  /** How long it took, in milliseconds. */
  readonly time: number
}

/** Something that happened in a step of the replay. */
export interface StepEvent {
  readonly type: string
  readonly text?: string
}

/** A reading that some protocols share. */
export interface Track {
  /** Those that are known best first. */
  readonly protocols: readonly string[]
  readonly counts: Counts
  readonly hasReasoning: boolean
  /** Its pieces, joined where there are too many to be seen. */
  readonly strip: Pieces
}

/** Every protocol's reading. */
export interface Comparison {
  /** The drawn one first, then those that agree the most with what was read. */
  readonly tracks: readonly Track[]
  readonly count: number
  /** From the first to the last, in milliseconds; and of that, what reading alone took. */
  readonly time: number
  readonly readingTime: number
}

/** Which protocol got the furthest in a text without calls, and why it stopped. */
export interface Reason {
  /** Those that saw a call begin, the furthest first. */
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

/** The requests to the worker. All but `read`, `check` and `protocols` are about its last text. */
export interface Questions {
  readonly read: {
    readonly input: {
      readonly text: string
      readonly options: ReadOptions
      /** The tools are the ones of the question before, which need not be sent again. */
      readonly hasSameTools?: boolean
      readonly chunk: number
      /** A reading from elsewhere, by a protocol that only the server has. */
      readonly elsewhere?: Reply
    }
    readonly output: Reading
  }
  readonly compare: { readonly input: object; readonly output: Comparison }
  /** The pieces of one protocol's reading, once it was compared. */
  readonly pieces: { readonly input: { readonly protocol: string }; readonly output: Pieces }
  /** The calls of one protocol's reading and what it did not understand, once it was compared: the first of them. */
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
  /** Its protocols. */
  readonly protocols: { readonly input: object; readonly output: readonly KnownProtocol[] }
  readonly check: {
    /** `onlyRead`: without the laws, which take longer. */
    readonly input: { readonly source: string; readonly onlyRead: boolean }
    readonly output: CheckedPicture
  }
}

export type Question = keyof Questions

/** To the worker. */
export type Asked = {
  [Name in Question]: {
    readonly id: number
    readonly name: Name
    readonly input: Questions[Name]['input']
  }
}[Question]

/** From the worker: it has begun, it has stopped because a newer question came, or it has an answer. */
export type Told =
  | { readonly id: number; readonly type: 'begun' | 'outdated' }
  | { readonly id: number; readonly type: 'answer'; readonly output: unknown }
  | { readonly id: number; readonly type: 'failed'; readonly message: string }
