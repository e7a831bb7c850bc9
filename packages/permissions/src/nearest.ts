/** Candidates of which `word` may be a misspelling, nearest first, at most three. */
export function nearest(word: string, candidates: readonly string[]): string[] {
  if (word.length > LONGEST) return []
  const allowed = Math.max(1, Math.floor(word.length * 0.4))
  const from = word.toLowerCase()

  return candidates
    .filter((candidate) => Math.abs(candidate.length - word.length) <= allowed)
    .map((candidate) => ({ candidate, distance: editDistance(from, candidate.toLowerCase()) }))
    .filter(({ distance }) => distance <= allowed)
    .sort((one, other) => one.distance - other.distance)
    .slice(0, 3)
    .map(({ candidate }) => candidate)
}

/**
 * The maximum length of a word to compare, so that untrusted text cannot make the comparison slow.
 */
const LONGEST = 64

/**
 * The number of letters to insert, delete, replace or swap with a neighbor to turn one string into
 * the other (the Damerau-Levenshtein distance in which no letter is edited twice).
 */
export function editDistance(from: string, to: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: to.length + 1 }, (_, column) => column)

  for (let row = 1; row <= from.length; row++) {
    const current = [row]
    for (let column = 1; column <= to.length; column++) {
      const same = from[row - 1] === to[column - 1]
      const swapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      current.push(
        Math.min(
          at(last, column) + 1,
          at(current, column - 1) + 1,
          at(last, column - 1) + (same ? 0 : 1),
          swapped ? at(beforeLast, column - 2) + 1 : Infinity,
        ),
      )
    }
    beforeLast = last
    last = current
  }
  return at(last, to.length)
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Infinity
}
