import { type RefObject, useEffect } from 'react'

/** The call whose card is to have the focus as soon as it is drawn. */
let requested: string | undefined
const listeners = new Set<(call: string) => void>()

/** Asks for the focus on the card of a call, wherever it is: a timeline scrolls to it, and the card takes the focus. */
export function requestFocus(call: string): void {
  requested = call
  for (const listener of [...listeners]) listener(call)
}

/** Hears of every request, with the id of the call. For timelines that draw only what is in view. Returns how to stop. */
export function onFocusRequest(listener: (call: string) => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Gives the element the focus when its call is asked for, or was asked for before it was drawn. */
export function useFocusRequest(call: string, element: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const take = (asked: string | undefined): void => {
      if (asked !== call || !element.current) return
      requested = undefined
      // A card that does not fit is read from its beginning.
      const isTall = element.current.offsetHeight > innerHeight / 2
      element.current.scrollIntoView({ block: isTall ? 'start' : 'nearest' })
      element.current.focus({ preventScroll: true })
    }
    take(requested)
    return onFocusRequest(take)
  }, [call, element])
}
