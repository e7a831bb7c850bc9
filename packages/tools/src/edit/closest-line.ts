/** The line, from 1, where the old text most likely was meant to stand; undefined if nothing is like it. */
export function closestLine(text: string, old: string): number | undefined {
  const lines = text.split('\n').map((line) => line.trim())
  const oldLines = old.split('\n').map((line) => line.trim())
  return byEqualLines(lines, oldLines) ?? byLikeness(lines, oldLines)
}

/** Where the most of its lines stand in their order: each equal line votes for the place where the first would be. */
function byEqualLines(lines: readonly string[], oldLines: readonly string[]): number | undefined {
  const wanted = new Map<string, number>()
  // A line that is short, such as a bracket, says nothing.
  for (const [index, line] of oldLines.entries()) if (line.length > 3) wanted.set(line, index)
  const votes = new Map<number, number>()
  for (const [index, line] of lines.entries()) {
    const place = wanted.get(line)
    if (place !== undefined) votes.set(index - place, (votes.get(index - place) ?? 0) + 1)
  }
  let best: number | undefined
  for (const [place, count] of votes)
    if (best === undefined || count > votes.get(best)!) best = place
  return best === undefined ? undefined : Math.max(0, best) + 1
}

const MAX_LINES = 20_000
const MAX_CHARACTERS = 300

/** Where the line is that has the most pairs of letters in common with the longest old line. */
function byLikeness(lines: readonly string[], oldLines: readonly string[]): number | undefined {
  const longest = oldLines.reduce((one, other) => (other.length > one.length ? other : one))
  const wanted = pairsOf(longest)
  let best = 0.5
  let place: number | undefined
  for (const [index, line] of lines.slice(0, MAX_LINES).entries()) {
    const pairs = pairsOf(line)
    let common = 0
    for (const pair of pairs) if (wanted.has(pair)) common++
    const likeness = (2 * common) / (pairs.size + wanted.size || 1)
    if (likeness <= best) continue
    best = likeness
    place = index - oldLines.indexOf(longest)
  }
  return place === undefined ? undefined : Math.max(0, place) + 1
}

function pairsOf(line: string): Set<string> {
  const text = line.slice(0, MAX_CHARACTERS).toLowerCase()
  const pairs = new Set<string>()
  for (let at = 0; at + 1 < text.length; at++) pairs.add(text.slice(at, at + 2))
  return pairs
}
