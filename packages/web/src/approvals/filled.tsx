import { Fragment } from 'react'
import type { ReactNode } from 'react'

/** The placeholder of an element in a text. The page's own texts never contain it. */
export const SLOT = '\u{fffc}'

/** A text in which each SLOT is replaced by the next element. */
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
