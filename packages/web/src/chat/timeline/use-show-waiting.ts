import { useEffect, useRef } from 'react'
import type { Row } from '../rows/rows.ts'

/**
 * Shows the first call that waits from its beginning, and not the end of the conversation, unless the person reads elsewhere. When
 * nothing waits any more, the end is followed again.
 */
export function useShowWaiting({
  rows,
  waiting,
  isFollowing,
  show,
  goToEnd,
}: {
  readonly rows: readonly Row[]
  /** The id of the first call that waits. */
  readonly waiting: string | undefined
  readonly isFollowing: () => boolean
  /** Scrolls to a row. */
  readonly show: (index: number) => void
  readonly goToEnd: () => void
}): void {
  const shown = useRef<string>(undefined)
  useEffect(() => {
    if (waiting === shown.current) return
    if (waiting === undefined) {
      shown.current = undefined
      goToEnd()
      return
    }
    if (shown.current === undefined && !isFollowing()) return
    const index = rows.findIndex(({ type, key }) => type === 'ask' && key === waiting)
    // It is drawn soon.
    if (index < 0) return
    shown.current = waiting
    show(index)
  })
}
