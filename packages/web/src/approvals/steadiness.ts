/** The position and size of an element on the screen. */
interface Place {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Tracks how long an element has stayed in place. */
interface Steadiness {
  /** Records its place at a time in milliseconds. */
  see(place: Place, time: number): void
  /** Marks it as hidden: when it is seen again, it counts as new. */
  hide(): void
  /** True if the element has not appeared or moved recently, so the user could read it. */
  isSteady(time: number): boolean
}

/**
 * The time a card must stay in place, in milliseconds, so that a press aimed at another element
 * cannot answer a card that has just appeared under it.
 */
export const STEADY_TIME = 400
/** Smaller movements are rounding errors. */
const MIN_MOVE = 2

/** Starts tracking an element, which appears when it is first seen. */
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
