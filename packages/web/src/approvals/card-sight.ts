import type { Sight } from './seen-pieces.ts'

/** A rectangle on the screen. */
interface Area {
  readonly top: number
  readonly bottom: number
}

/** The pieces of a card that somebody has to see before allowing it: what scrolls by itself is one of its own. */
export function piecesOf(card: HTMLElement): readonly HTMLElement[] {
  const all = card.querySelectorAll<HTMLElement>(
    ':scope > header, :scope > [data-body] > *, [data-body] :is(pre, [role="region"])',
  )
  // Not what is folded up.
  return [...all].filter((piece) => piece.checkVisibility())
}

/** The visible range of a piece, in pixels from the top of its content. */
export function sightOf(piece: HTMLElement, window: Area): Sight {
  const { top, bottom, width, height } = piece.getBoundingClientRect()
  const { scrollTop, scrollHeight } = piece
  return {
    from: Math.max(top, window.top) - top + scrollTop,
    to: Math.min(bottom, window.bottom) - top + scrollTop,
    width,
    height: Math.max(height, scrollHeight),
  }
}

/** Everything around an element that can hide a part of it. */
export function scrollersAround(element: HTMLElement): readonly HTMLElement[] {
  const found: HTMLElement[] = []
  for (let at = element.parentElement; at; at = at.parentElement)
    if (getComputedStyle(at).overflowY !== 'visible') found.push(at)
  return found
}

/** Where an element can be seen: inside the window, and inside everything that scrolls it. */
export function windowOf(scrollers: readonly HTMLElement[]): Area {
  let [top, bottom] = [0, innerHeight]
  for (const scroller of scrollers) {
    const area = scroller.getBoundingClientRect()
    top = Math.max(top, area.top)
    bottom = Math.min(bottom, area.bottom)
  }
  return { top, bottom }
}

/** Whether nothing hides the button that allows: neither the end of a scroller nor something that floats above it. */
export function isInReach(card: HTMLElement): boolean {
  const actions = card.querySelector('[data-actions]')
  const button = actions?.querySelector('button')
  if (!actions || !button) return false
  const { left, right, top, bottom } = button.getBoundingClientRect()
  return [left + INSET, (left + right) / 2, right - INSET].every((x) =>
    [top + INSET, bottom - INSET].every((y) => actions.contains(document.elementFromPoint(x, y))),
  )
}

const INSET = 3

/** Brings what has not been seen into sight. */
export function reveal(piece: HTMLElement, at: number, scrollers: readonly HTMLElement[]): void {
  if (piece.scrollHeight > piece.clientHeight + 1) {
    piece.scrollTop = at
    piece.scrollIntoView({ block: 'nearest' })
    return
  }
  const { top } = piece.getBoundingClientRect()
  const scroller = scrollers.find(
    ({ scrollHeight, clientHeight }) => scrollHeight > clientHeight + 1,
  )
  const { top: edge, bottom } = windowOf(scrollers)
  scroller?.scrollBy({ top: top + at - edge - Math.min(MARGIN, (bottom - edge) / 4) })
}

/** Readers want to see where they left off. */
const MARGIN = 24
