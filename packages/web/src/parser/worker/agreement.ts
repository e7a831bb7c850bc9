import type { Pieces } from './messages.ts'

/** How many characters two readings of a text read as the same kind. */
export function agreement(one: Pieces, other: Pieces): number {
  let same = 0
  let place = 0
  for (let first = 0, second = 0; first < one.ends.length && second < other.ends.length;) {
    const end = Math.min(one.ends[first]!, other.ends[second]!)
    if (one.kinds[first] === other.kinds[second]) same += end - place
    place = end
    if (one.ends[first]! === end) first++
    if (other.ends[second]! === end) second++
  }
  return same
}
