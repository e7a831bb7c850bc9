import type { ReactNode } from 'react'
import { VisibleText } from '../../ui/visible-text.tsx'
import type { Excerpt } from '../worker/item.ts'

/** The beginning of a text, with boxes for what nobody sees. */
export function Shortened({ text, left }: Excerpt): ReactNode {
  return (
    <>
      <VisibleText text={text} />
      {left > 0 && '…'}
    </>
  )
}
