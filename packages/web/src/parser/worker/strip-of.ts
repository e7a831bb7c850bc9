import type { Pieces } from './messages.ts'

/**
 * Merges pieces that are too short to see, so that at most `max` remain. The longest merged piece
 * determines the kind.
 */
export function stripOf({ kinds, ends }: Pieces, max: number): Pieces {
  if (kinds.length <= max) return { kinds: kinds.slice(), ends: ends.slice() }
  const smallest = (ends.at(-1) ?? 0) / (max / 2)
  const joinedKinds: number[] = []
  const joinedEnds: number[] = []
  let start = 0
  let longest = 0
  let kind = 0
  for (let at = 0; at < kinds.length; at++) {
    const end = ends[at]!
    const length = end - (at === 0 ? 0 : ends[at - 1]!)
    if (length >= longest) {
      longest = length
      kind = kinds[at]!
    }
    if (end - start < smallest && at < kinds.length - 1) continue
    // Adjacent pieces of one kind would look like one.
    if (joinedKinds.at(-1) === kind) joinedEnds[joinedEnds.length - 1] = end
    else {
      joinedKinds.push(kind)
      joinedEnds.push(end)
    }
    start = end
    longest = 0
  }
  return { kinds: Uint8Array.from(joinedKinds), ends: Uint32Array.from(joinedEnds) }
}
