import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react'

/** Whether the end is in sight, and a way there. */
export interface FollowEnd {
  readonly isAtEnd: boolean
  /** Whether the list scrolls by itself now. */
  readonly isFollowing: () => boolean
  readonly onScroll: () => void
  /** Stays here: somebody has unfolded something to read it. */
  readonly pause: () => void
  readonly goToEnd: () => void
}

/** So near, in pixels, is at the end. */
const NEAR = 24

/** Keeps the end of a list in sight while the person is there, and lets them be elsewhere. */
export function useFollowEnd(scroll: RefObject<HTMLElement | null>): FollowEnd {
  const [isAtEnd, setAtEnd] = useState(true)
  const isFollowing = useRef(true)
  const top = useRef(0)
  const follow = useCallback((): void => {
    const { current } = scroll
    if (!current) return
    // Only a person scrolls up: what is added below leaves the position as it is.
    if (current.scrollTop < top.current - 1 && distanceToEnd(current) > NEAR)
      isFollowing.current = false
    if (isFollowing.current && distanceToEnd(current) > 0) current.scrollTop = current.scrollHeight
    top.current = current.scrollTop
    setAtEnd(isFollowing.current || distanceToEnd(current) <= NEAR)
  }, [scroll])
  useLayoutEffect(follow)
  return {
    isAtEnd,
    isFollowing: useCallback(() => isFollowing.current, []),
    onScroll: useCallback(() => {
      if (scroll.current && distanceToEnd(scroll.current) <= NEAR) isFollowing.current = true
      follow()
    }, [scroll, follow]),
    pause: useCallback(() => {
      isFollowing.current = false
    }, []),
    goToEnd: useCallback(() => {
      isFollowing.current = true
      follow()
    }, [follow]),
  }
}

function distanceToEnd({ scrollHeight, clientHeight, scrollTop }: HTMLElement): number {
  return scrollHeight - clientHeight - scrollTop
}
