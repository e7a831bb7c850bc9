/** The line, from 1, where text that was not found most likely belongs; undefined if nothing is similar. */
export function closestLine(text: string, old: string): number | undefined {
  const lines = text.split('\n').map((line) => line.trim())
  const oldLines = old.split('\n').map((line) => line.trim())
  return byEqualLines(lines, oldLines) ?? bySimilarity(lines, oldLines)
}

/** Each equal line votes for where the first old line would be. */
function byEqualLines(lines: readonly string[], oldLines: readonly string[]): number | undefined {
  const wanted = new Map<string, number>()
  // Short lines, such as a bracket, occur everywhere.
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

/** Finds the line that shares the most pairs of letters with the longest old line. */
function bySimilarity(lines: readonly string[], oldLines: readonly string[]): number | undefined {
  const longest = oldLines.reduce((one, other) => (other.length > one.length ? other : one))
  const wanted = pairsOf(longest)
  let best = 0.5
  let place: number | undefined
  for (const [index, line] of lines.slice(0, MAX_LINES).entries()) {
    const pairs = pairsOf(line)
    let common = 0
    for (const pair of pairs) if (wanted.has(pair)) common++
    const similarity = (2 * common) / (pairs.size + wanted.size || 1)
    if (similarity <= best) continue
    best = similarity
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
