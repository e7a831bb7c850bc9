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
