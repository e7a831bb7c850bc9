import { StateEffect, StateField } from '@codemirror/state'
import type { Pieces } from '../worker/messages.ts'

/** The part of a reading that an editor shows. */
export interface Look extends Pieces {
  /** The length of the text that was read. */
  readonly length: number
  readonly repairStarts: Uint32Array
  readonly repairEnds: Uint32Array
  readonly stops: Uint32Array
  /** How many of the pieces count, where the last of them ends, and how much of the text has arrived. */
  readonly count: number
  readonly place: number
  readonly until: number
  /** Whether a call is being written after the last piece. */
  readonly isOpen: boolean
  /** The piece that is pointed at. */
  readonly hot: number | undefined
}

interface ShownLook {
  readonly look: Look | undefined
  readonly isStale: boolean
}

/** Shows a reading. */
export const setLook = StateEffect.define<Look | undefined>()

/** The reading that is shown. Of another text than the one in the editor, it is not drawn again. */
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
