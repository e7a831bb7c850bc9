import { useNavigate, useRouter } from '@tanstack/react-router'
import { useEffect, useLayoutEffect, useRef } from 'react'
import type { RunsSearch } from '../../app/router.tsx'
import type { Player } from './use-player.ts'

/** How often it is looked where a replay is, in milliseconds. */
const EVERY = 400
/** A replay that plays is followed less often: whatever shows the address is drawn again. */
const PLAYING_EVERY = 5

/** Lets the address follow a replay: when the handle rests, and from time to time while it plays. */
export function useFollowingAddress({ at, isPlaying }: Pick<Player, 'at' | 'isPlaying'>): void {
  const router = useRouter()
  const navigate = useNavigate()
  const latest = useRef({ at, isPlaying })
  useLayoutEffect(() => {
    latest.current = { at, isPlaying }
  })
  useEffect(() => {
    const { pathname } = router.latestLocation
    let [sent, seen, ticks] = [latest.current.at, latest.current.at, 0]
    const timer = setInterval(() => {
      const now = latest.current
      const isResting = now.at === seen || (now.isPlaying && ++ticks % PLAYING_EVERY === 0)
      seen = now.at
      if (!isResting || now.at === sent) return
      // Somebody may have left the replay, or gone elsewhere, and it is still shown.
      const { latestLocation: here } = router
      if (here.pathname !== pathname || (here.search as RunsSearch).at === undefined) return
      sent = now.at
      void navigate({
        to: '.',
        search: (before: RunsSearch) => ({ ...before, at: now.at }),
        replace: true,
      })
    }, EVERY)
    return () => clearInterval(timer)
  }, [router, navigate])
}
