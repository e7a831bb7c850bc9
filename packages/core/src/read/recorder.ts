import type { Call, RepairDetail } from '../reply.ts'
import type { CallBuilder } from './call-builder.ts'
import type { Block } from './grammar.ts'

/** The name of a repair and the information its reader has about the place. */
export type Repaired =
  /** The repair was noticed at `to`, or at the reader's place. */
  | readonly [name: string, from?: undefined, became?: undefined, to?: number]
  /**
   * The text between two places became another. If `became` is undefined, the name implies it; if
   * false, the text could not be repaired.
   */
  | readonly [name: string, from: number, became?: string | void | false, to?: number]
  /** The repair acted somewhere in the value that begins there. */
  | readonly [name: string, from: number, inValue: true, to?: number]
  /** The value that begins there was converted. If `to` is -1, the value ends with its JSON. */
  | readonly [name: 'coerced' | 'mistyped', from: number, made: unknown, to?: number]
  /** A key, name or word right before `to`, or before the reader's place, became another. */
  | readonly [name: string, text: string, became?: string | undefined, to?: number]
  /** These arguments were replaced. Without `after`, they were left unchanged. */
  | readonly [name: string, before: Arguments, after?: Arguments]

type Arguments = Readonly<Record<string, unknown>>

/** Converts recorded repairs to details. */
export interface Recorder {
  /** Records a repair. The reader is at `place`. */
  note(builder: CallBuilder, repaired: Repaired, place: number): void
  /** The details of all calls in a block. */
  detailsOf(
    builder: CallBuilder,
    call: Pick<Call, 'name' | 'args' | 'raw' | 'span'>,
    block: Block,
  ): readonly RepairDetail[]
}
