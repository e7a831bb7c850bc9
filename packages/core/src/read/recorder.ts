import type { Call, RepairDetail } from '../reply.ts'
import type { CallBuilder } from './call-builder.ts'
import type { Block } from './grammar.ts'

/** The name of a repair, and what its reader knows about where it acted. */
export type Repaired =
  /** It was noticed at `to`, or else where the reader stands. */
  | readonly [name: string, from?: undefined, became?: undefined, to?: number]
  /** The text between two places became another; undefined: its name says what it became. False: it could not be repaired. */
  | readonly [name: string, from: number, became?: string | void | false, to?: number]
  /** It acted anywhere in the value that begins there. */
  | readonly [name: string, from: number, inValue: true, to?: number]
  /** A value was made of the one that begins there; -1: it ends where its JSON ends. */
  | readonly [name: 'coerced' | 'mistyped', from: number, made: unknown, to?: number]
  /** A key, a name or a word became another. It is right before `to`, or else before where the reader stands. */
  | readonly [name: string, text: string, became?: string | undefined, to?: number]
  /** These arguments were made of others; without `after`, they were left as they are. */
  | readonly [name: string, before: Arguments, after?: Arguments]

type Arguments = Readonly<Record<string, unknown>>

/** Turns what is known about repairs into their details. */
export interface Recorder {
  /** The reader stands at `place`. */
  note(builder: CallBuilder, repaired: Repaired, place: number): void
  /** The record of all calls of a block. */
  detailsOf(
    builder: CallBuilder,
    call: Pick<Call, 'name' | 'args' | 'raw' | 'span'>,
    block: Block,
  ): readonly RepairDetail[]
}
