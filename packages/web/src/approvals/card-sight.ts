import type { Sight } from './seen-pieces.ts'

/** A rectangle on the screen. */
interface Area {
  readonly top: number
  readonly bottom: number
}

/**
 * The pieces of a card that the user must see before allowing the call. An area that scrolls by
 * itself is a separate piece.
 */
export function piecesOf(card: HTMLElement): readonly HTMLElement[] {
  const all = card.querySelectorAll<HTMLElement>(
    ':scope > header, :scope > [data-body] > *, [data-body] :is(pre, [role="region"])',
  )
  // Without folded content.
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

/** All ancestors that can clip the element. */
export function scrollersAround(element: HTMLElement): readonly HTMLElement[] {
  const found: HTMLElement[] = []
  for (let at = element.parentElement; at; at = at.parentElement)
    if (getComputedStyle(at).overflowY !== 'visible') found.push(at)
  return found
}

/** The visible area of an element: the window, clipped by all ancestors that scroll. */
export function windowOf(scrollers: readonly HTMLElement[]): Area {
  let [top, bottom] = [0, innerHeight]
  for (const scroller of scrollers) {
    const area = scroller.getBoundingClientRect()
    top = Math.max(top, area.top)
    bottom = Math.min(bottom, area.bottom)
  }
  return { top, bottom }
}

/**
 * True if the button that allows the call is not hidden by a scroller's edge or a floating element.
 */
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

/** Scrolls the first unseen part into view. */
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

/** Keeps a few lines of context above. */
const MARGIN = 24
