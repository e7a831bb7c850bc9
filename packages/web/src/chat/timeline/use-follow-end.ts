import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react'

/** True if the end is visible, and a function that scrolls there. */
export interface FollowEnd {
  readonly isAtEnd: boolean
  /** True while the list scrolls to its end automatically. */
  readonly isFollowing: () => boolean
  readonly onScroll: () => void
  /** Stops following: the user has unfolded a row to read it. */
  readonly pause: () => void
  readonly goToEnd: () => void
}

/** The distance in pixels that still counts as the end. */
const NEAR = 24

/** Keeps the end of a list visible while the user is there, and does not scroll otherwise. */
export function useFollowEnd(scroll: RefObject<HTMLElement | null>): FollowEnd {
  const [isAtEnd, setAtEnd] = useState(true)
  const isFollowing = useRef(true)
  const top = useRef(0)
  const follow = useCallback((): void => {
    const { current } = scroll
    if (!current) return
    // Only the user scrolls up: content added below does not move the position.
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
