import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'

/** How many events a second are played at the lowest speed. */
const RATE = 8
/** How many times as fast. */
export const SPEEDS = ['1', '4', '16', '100'] as const
export type Speed = (typeof SPEEDS)[number]

/** Where a replay is, and whether it goes on by itself. */
export interface Player {
  /** How many events have happened. */
  readonly at: number
  readonly isPlaying: boolean
  readonly speed: Speed
  readonly setSpeed: (speed: Speed) => void
  /** Goes somewhere, and stays there. */
  readonly seek: (at: number) => void
  readonly toggle: () => void
}

/** Plays a replay of so many events. At the end it stops; while more of them are loaded, it waits there. */
export function usePlayer(
  count: number,
  isLoading: boolean,
  start: number,
  plays: boolean,
): Player {
  const [at, setAt] = useState(start)
  const [isPlaying, setPlaying] = useState(plays)
  const [speed, setSpeed] = useState<Speed>('1')
  const latest = useRef({ at, count, isLoading })
  useLayoutEffect(() => {
    latest.current = { at, count, isLoading }
  })
  useEffect(() => {
    if (!isPlaying) return
    let before = performance.now()
    let rest = 0
    let frame = requestAnimationFrame(function next(now) {
      rest += ((now - before) / 1000) * RATE * Number(speed)
      before = now
      const steps = Math.floor(rest)
      rest -= steps
      const { at: here, count: end, isLoading: isMore } = latest.current
      if (steps > 0 && here < end) setAt(Math.min(end, here + steps))
      if (here >= end && end > 0 && !isMore) return setPlaying(false)
      frame = requestAnimationFrame(next)
    })
    return () => cancelAnimationFrame(frame)
  }, [isPlaying, speed])
  const seek = useCallback((next: number) => {
    setPlaying(false)
    setAt(Math.max(0, Math.min(next, latest.current.count)))
  }, [])
  const toggle = useCallback(() => {
    const { at: here, count: end, isLoading: isMore } = latest.current
    // From the end, it begins again.
    if (here >= end && !isMore) setAt(0)
    setPlaying((before) => !before)
  }, [])
  return { at, isPlaying, speed, setSpeed, seek, toggle }
}
