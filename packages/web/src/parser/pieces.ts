import { KINDS, type Kind, type Pieces } from './worker/messages.ts'

/** The start of a piece. */
export function startOf({ ends }: Pick<Pieces, 'ends'>, piece: number): number {
  return piece === 0 ? 0 : ends[piece - 1]!
}

/** The kind of a piece. */
export function kindOf({ kinds }: Pick<Pieces, 'kinds'>, piece: number): Kind {
  return KINDS[kinds[piece]!]!
}

/** The index of the first number in a sorted list that is greater than `number`. */
export function firstOver(sorted: ArrayLike<number>, number: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (sorted[middle]! > number) high = middle
    else low = middle + 1
  }
  return low
}
