import { Fragment } from 'react'
import type { ReactNode } from 'react'

/** The placeholder of an element in a text. No text of ours contains it. */
export const SLOT = '\u{fffc}'

/** A text with elements in the places that were filled with SLOT, in the order of the text. */
export function Filled({
  text,
  slots,
}: {
  readonly text: string
  readonly slots: readonly ReactNode[]
}): ReactNode {
  return text.split(SLOT).map((piece, at) => (
    <Fragment key={at}>
      {at > 0 && slots[at - 1]}
      {piece}
    </Fragment>
  ))
}
