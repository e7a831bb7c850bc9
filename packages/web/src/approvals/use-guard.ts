import {
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { isInReach, piecesOf, reveal, scrollersAround, sightOf, windowOf } from './card-sight.ts'
import { createSteadiness, STEADY_TIME } from './steadiness.ts'
import { createSeenPieces } from './seen-pieces.ts'

/**
 * Prevents accidental approvals. Every way to allow a call goes through it: clicks and taps, Enter
 * and the space bar on a button, keys of the card, and presses by assistive technology. A call is
 * allowed only if
 * - it is not the second click of a double click: the first one may have removed the element that
 *   was there;
 * - the card has been in place for a while, with its buttons in reach, in a visible tab: nothing
 *   appeared, moved, grew or was uncovered under the pointer. This is checked when the press begins
 *   and when it ends, on the same button;
 * - for key presses, the focus has been in the card for a while, and the key is not held down;
 * - every part of the card has been in view.
 */
export interface Guard {
  readonly element: RefObject<HTMLElement | null>
  /** True if the call can be allowed now, for display. */
  readonly isReady: boolean
  /** True if a part of the card has not been in view yet. */
  readonly hasUnseen: boolean
  /** The event handlers of the card's element. */
  readonly listeners: {
    readonly onPointerDownCapture: (event: PointerEvent) => void
    readonly onKeyDownCapture: (event: KeyboardEvent) => void
    readonly onClick: () => void
  }
  /** True if a key pressed now is meant for the card. */
  isMeant(): boolean
  /**
   * Allows the call if the press was meant and everything was seen. Otherwise shows the unseen
   * part.
   */
  allow(press: MouseEvent | 'key', allow: () => void): void
}

/** The interval between checks of the card, in milliseconds. Each press also checks it. */
const EVERY = 100

/** Guards a card from the moment it is drawn; starts over when the content changes. */
export function useGuard(content = ''): Guard {
  const element = useRef<HTMLElement>(null)
  const [shown, setShown] = useState({ isReady: false, hasUnseen: false })
  const watch = useMemo(() => createWatch(element), [])
  useLayoutEffect(() => {
    const look = (): void => {
      const { isSteady, isReady, unseen } = watch.look()
      setShown((before) => {
        // The hint moves the card, so it must not appear and disappear as the card moves.
        const hasUnseen = unseen !== undefined && (isSteady || before.hasUnseen)
        const isSame = before.isReady === isReady && before.hasUnseen === hasUnseen
        return isSame ? before : { isReady, hasUnseen }
      })
    }
    look()
    const timer = setInterval(look, EVERY)
    document.addEventListener('visibilitychange', look)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }, [watch])
  // Equal size does not imply equal text.
  useLayoutEffect(() => watch.renew(), [watch, content])
  useEffect(() => {
    const card = element.current
    const onFocus = ({ relatedTarget }: FocusEvent): void => {
      if (!(relatedTarget instanceof Node && card?.contains(relatedTarget))) watch.focus()
    }
    card?.addEventListener('focusin', onFocus)
    return () => card?.removeEventListener('focusin', onFocus)
  }, [watch])
  return { element, ...shown, ...watch.guard }
}

interface Look {
  readonly isSteady: boolean
  readonly isReady: boolean
  readonly unseen: { readonly piece: HTMLElement; readonly at: number } | undefined
}

interface Watch {
  look(): Look
  /** The content of the card has changed. */
  renew(): void
  /** The focus has entered the card. */
  focus(): void
  readonly guard: Pick<Guard, 'listeners' | 'isMeant' | 'allow'>
}

type Press = Pick<PointerEvent | KeyboardEvent, 'target' | 'timeStamp'>

const NOTHING: Look = { isSteady: false, isReady: false, unseen: undefined }

function createWatch(element: RefObject<HTMLElement | null>): Watch {
  const steadiness = createSteadiness()
  const seen = createSeenPieces<HTMLElement>()
  let scrollers: readonly HTMLElement[] | undefined
  let focused = -Infinity
  /** The current press, and if it was meant. */
  let begun: { readonly button: Element; readonly isMeant: boolean } | undefined
  let wasInReach = false

  const look = (): Look => {
    const card = element.current
    if (!card || document.hidden) {
      steadiness.hide()
      return NOTHING
    }
    scrollers ??= scrollersAround(card)
    const now = performance.now()
    const inReach = isInReach(card)
    // A card that was covered counts as new.
    if (inReach && !wasInReach) steadiness.hide()
    wasInReach = inReach
    steadiness.see(card.getBoundingClientRect(), now)
    const pieces = piecesOf(card)
    const window = windowOf(scrollers)
    for (const piece of pieces) seen.see(piece, sightOf(piece, window))
    const isSteady = steadiness.isSteady(now)
    const unseen = seen.unseen(pieces)
    return { isSteady, isReady: isSteady && inReach && !unseen, unseen }
  }
  const isFocused = (): boolean => performance.now() - focused >= STEADY_TIME
  const begin = ({ target, timeStamp }: Press, isMeant: () => boolean): void => {
    const button = target instanceof Element ? target.closest('button') : null
    // A busy page receives presses late: the state at the time of the press counts.
    const wasReady = (): boolean => look().isReady && steadiness.isSteady(timeStamp)
    begun = button ? { button, isMeant: isMeant() && wasReady() } : undefined
  }
  const settle = (): void => void (begun = undefined)
  const show = (): void => {
    const { isSteady, unseen } = look()
    // Does not scroll while the card still moves, in case the user presses repeatedly.
    if (!isSteady) return
    if (unseen) reveal(unseen.piece, unseen.at, scrollers ?? [])
    // Something covers the buttons, such as the button that scrolls to the end.
    else element.current?.querySelector('[data-actions]')?.scrollIntoView({ block: 'center' })
  }
  return {
    look,
    renew: () => steadiness.hide(),
    focus: () => void (focused = performance.now()),
    guard: {
      listeners: {
        onPointerDownCapture(event) {
          begin(event, () => true)
        },
        onKeyDownCapture(event) {
          if (event.key !== 'Enter' && event.key !== ' ') return
          begin(event, () => !event.repeat && isFocused())
        },
        // Runs after the handlers of the clicked element: the press is over.
        onClick: settle,
      },
      isMeant: () => isFocused() && look().isSteady,
      allow(press, allow) {
        const own = begun
        begun = undefined
        const isMeant =
          press === 'key'
            ? isFocused()
            : own
              ? own.isMeant && own.button === press.currentTarget && press.detail <= 1
              : // No pointer or key was pressed: a screen reader or voice control clicked.
                press.detail === 0
        if (isMeant && look().isReady) allow()
        else show()
      },
    },
  }
}
