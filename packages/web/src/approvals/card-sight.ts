/** A rectangle on the screen. */
interface Area {
  readonly top: number
  readonly bottom: number
}

/** The pieces of a card that somebody has to see before allowing it: what scrolls by itself is one of its own. */
export function piecesOf(card: HTMLElement): readonly HTMLElement[] {
  const all = card.querySelectorAll<HTMLElement>(
    ':scope > header, :scope > .inner > *, .inner pre, .inner .cmd, .inner .rulebox',
  )
  // Not what is folded up.
  return [...all].filter((piece) => piece.checkVisibility())
}

/** The visible range of a piece, in pixels from the top of its content. */
export function sightOf(
  piece: HTMLElement,
  window: Area,
): {
  readonly from: number
  readonly to: number
  readonly width: number
  readonly height: number
} {
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
  const actions = card.querySelector('.acts')
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

/** The part of a piece that is in sight now, in pixels from its top, and how large the whole piece is. */
interface Sight {
  readonly from: number
  readonly to: number
  readonly width: number
  readonly height: number
}

/** Knows which parts of something have been in sight. */
interface SeenPieces<Piece extends object> {
  /** Says what of a piece is in sight. Nothing is, if `to` is not larger than `from`. */
  see(piece: Piece, sight: Sight): void
  /** The first of these pieces that has not been seen whole, and where it begins to be unseen. */
  unseen(pieces: readonly Piece[]): { readonly piece: Piece; readonly at: number } | undefined
}

interface Seen {
  readonly width: number
  readonly height: number
  /** In order, without touching each other. */
  readonly ranges: readonly Range[]
}

type Range = readonly [from: number, to: number]

/** Smaller gaps are borders and rounding. */
const TOLERANCE = 4

/** Begins to remember what has been in sight. */
export function createSeenPieces<Piece extends object>(): SeenPieces<Piece> {
  const all = new WeakMap<Piece, Seen>()
  return {
    see(piece, { from, to, width, height }) {
      const before = all.get(piece)
      // Content grows at its end. With another width, or less content, it looks different.
      const isSame =
        before && Math.abs(before.width - width) <= 1 && height >= before.height - TOLERANCE
      const ranges = isSame ? before.ranges : []
      all.set(piece, { width, height, ranges: to > from ? withRange(ranges, [from, to]) : ranges })
    },
    unseen(pieces) {
      for (const piece of pieces) {
        const { ranges = [], height = Infinity } = all.get(piece) ?? {}
        const [first] = ranges
        const at = first && first[0] <= TOLERANCE ? first[1] : 0
        if (at < height - TOLERANCE) return { piece, at }
      }
      return undefined
    },
  }
}

function withRange(ranges: readonly Range[], added: Range): readonly Range[] {
  const result: Range[] = []
  for (const range of [...ranges, added].sort(([one], [other]) => one - other)) {
    const last = result.at(-1)
    if (last && range[0] <= last[1] + TOLERANCE)
      result[result.length - 1] = [last[0], Math.max(last[1], range[1])]
    else result.push(range)
  }
  return result
}

/** Where something is on the screen. */
interface Place {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Knows for how long something has been where it is. */
interface Steadiness {
  /** Says where it is at a time, in milliseconds. */
  see(place: Place, time: number): void
  /** Nobody sees it: it appears when it is seen next. */
  hide(): void
  /** Whether somebody could have read it where it is: it has not appeared or moved for a while. */
  isSteady(time: number): boolean
}

/** A press that was meant for something else must not answer a card that has just appeared under it. In milliseconds. */
export const STEADY_TIME = 400
/** Smaller movements are rounding. */
const MIN_MOVE = 2

/** Begins to watch something that appears when it is seen first. */
export function createSteadiness(): Steadiness {
  let last: Place | undefined
  let since = Infinity
  return {
    see(place, time) {
      if (last && !hasMoved(last, place)) return
      last = place
      since = time
    },
    hide() {
      last = undefined
      since = Infinity
    },
    isSteady: (time) => time - since >= STEADY_TIME,
  }
}

function hasMoved(one: Place, other: Place): boolean {
  return (['x', 'y', 'width', 'height'] as const).some(
    (side) => Math.abs(one[side] - other[side]) >= MIN_MOVE,
  )
}
