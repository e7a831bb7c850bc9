import { StateEffect, StateField } from '@codemirror/state'
import type { Pieces } from '../worker/messages.ts'

/** The part of a reading that an editor shows. */
export interface Look extends Pieces {
  /** The length of the parsed text. */
  readonly length: number
  readonly repairStarts: Uint32Array
  readonly repairEnds: Uint32Array
  readonly stops: Uint32Array
  /**
   * The number of pieces to show, the end of the last one, and the amount of text that has arrived.
   */
  readonly count: number
  readonly place: number
  readonly until: number
  /** True if a call is being written after the last piece. */
  readonly isOpen: boolean
  /** The piece under the pointer. */
  readonly hot: number | undefined
}

interface ShownLook {
  readonly look: Look | undefined
  readonly isStale: boolean
}

/** Shows a reading. */
export const setLook = StateEffect.define<Look | undefined>()

/** The reading to show. If it belongs to another text than the editor's, it is not redrawn. */
export const lookField: StateField<ShownLook> = StateField.define<ShownLook>({
  create: () => ({ look: undefined, isStale: false }),
  update(value, transaction) {
    for (const effect of transaction.effects)
      if (effect.is(setLook))
        return {
          look: effect.value,
          isStale: effect.value?.length !== transaction.newDoc.length,
        }
    return transaction.docChanged ? { ...value, isStale: true } : value
  },
})
