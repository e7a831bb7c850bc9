import { type RefObject, useEffect } from 'react'

/** The call whose card gets the focus as soon as it is drawn. */
let requested: string | undefined
const listeners = new Set<(call: string) => void>()

/**
 * Requests the focus for a call's card: the timeline scrolls to it, and the card takes the focus.
 */
export function requestFocus(call: string): void {
  requested = call
  for (const listener of [...listeners]) listener(call)
}

/**
 * Calls back with the call's id on every request, for timelines that draw only visible rows.
 * Returns a function that stops listening.
 */
export function onFocusRequest(listener: (call: string) => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/**
 * Focuses the element when its call is requested, or if it was requested before the element was
 * drawn.
 */
export function useFocusRequest(call: string, element: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const take = (asked: string | undefined): void => {
      if (asked !== call || !element.current) return
      requested = undefined
      // A card taller than the screen is shown from its start.
      const isTall = element.current.offsetHeight > innerHeight / 2
      element.current.scrollIntoView({ block: isTall ? 'start' : 'nearest' })
      element.current.focus({ preventScroll: true })
    }
    take(requested)
    return onFocusRequest(take)
  }, [call, element])
}
