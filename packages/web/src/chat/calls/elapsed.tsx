import { createContext, use, useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { useFormat } from '../format.ts'

/** The displayed point in time, in milliseconds since 1970, if it is not the present. */
export const ShownTime = createContext<number | undefined>(undefined)

/** The time elapsed since a moment. */
export function Elapsed({ since }: { readonly since: number }): ReactNode {
  const { duration } = useFormat()
  const [present, setNow] = useState(Date.now)
  const shown = use(ShownTime)
  const now = shown ?? present
  useEffect(() => {
    if (shown !== undefined) return
    const timer = setInterval(() => setNow(Date.now()), 500)
    return () => clearInterval(timer)
  }, [shown])
  // At least zero: the clocks of two machines may differ.
  const time = Math.max(0, now - since)
  return time < 1000 ? null : <span className="tabular-nums">{duration(time)}</span>
}
