import type { Item } from '@toolglot/react/view'
import { useEffect, useMemo, useRef, useState } from 'react'
import { createRows, type Row, type Unfolded } from './rows/rows.ts'

/** The rows of a conversation that changes. Rows that take long to make are made less often, so that the page can be used. */
export function useRows(items: readonly Item[], unfolded: Unfolded): readonly Row[] {
  const makeRows = useMemo(createRows, [])
  const made = useRef<Made>(undefined)
  const [, setRound] = useState(0)
  const now = performance.now()
  const before = made.current
  const isCurrent = before?.items === items && before.unfolded === unfolded
  // What the person does is shown at once.
  if (!before || (!isCurrent && (before.unfolded !== unfolded || now >= before.nextAt))) {
    const rows = makeRows(items, unfolded)
    const took = performance.now() - now
    made.current = { items, unfolded, rows, nextAt: took > SLOW ? now + took * PAUSE : 0 }
  }
  const { rows, nextAt, ...shown } = made.current!
  const isLate = shown.items !== items
  useEffect(() => {
    if (!isLate) return
    const timer = setTimeout(() => setRound((round) => round + 1), nextAt - performance.now())
    return () => clearTimeout(timer)
  }, [isLate, nextAt])
  return rows
}

interface Made {
  readonly items: readonly Item[]
  readonly unfolded: Unfolded
  readonly rows: readonly Row[]
  /** When rows may be made again. */
  readonly nextAt: number
}

/** In milliseconds. */
const SLOW = 4
/** How many times as long as it takes to make rows nothing is made. Drawing takes longer than making. */
const PAUSE = 20
