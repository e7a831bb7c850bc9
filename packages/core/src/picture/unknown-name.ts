import { quoted } from './problems.ts'

/**
 * A message about an unknown name, with the most similar name and a list of known ones. `count`
 * receives the amount of comparison work.
 */
export function unknownName(
  name: string,
  what: string,
  known: readonly string[],
  count: (amount: number) => void = () => {},
): string {
  const likely = nearest(name, known, count)
  const hint = likely === undefined ? '' : ` Did you mean ${quoted(likely)}?`
  const listed = known.slice(0, MAX_LISTED).map(short).join(', ')
  const more = known.length > MAX_LISTED ? ', …' : ''
  return `${quoted(name)} is not ${what}.${hint} Known: ${listed}${more}.`
}

const MAX_LISTED = 50

function short(name: string): string {
  return name.length > 60 ? `${name.slice(0, 60)}…` : name
}

/** The known name that is closest in spelling. */
function nearest(
  name: string,
  known: readonly string[],
  count: (amount: number) => void,
): string | undefined {
  if (name.length < 3 || name.length > 40) return undefined
  const wanted = name.toLowerCase()
  let allowed = Math.min(MAX_EDITS, Math.floor(name.length * 0.4))
  let found: string | undefined
  const compared = known.slice(0, MAX_COMPARED)
  count(compared.length)
  for (const candidate of compared) {
    if (Math.abs(candidate.length - name.length) > allowed) continue
    count(wanted.length * (2 * allowed + 1))
    const needed = edits(wanted, candidate.toLowerCase(), allowed)
    if (needed > allowed) continue
    found = candidate
    allowed = needed - 1
    if (allowed < 0) break
  }
  return found
}

const MAX_EDITS = 4
const MAX_COMPARED = 1000

/**
 * The number of letters to insert, delete or replace to turn one name into another. The result is
 * at most `most` + 1.
 */
function edits(from: string, to: string, most: number): number {
  const far = most + 1
  let last = Array.from({ length: to.length + 1 }, (_, column) => Math.min(column, far))
  let current = last.map(() => far)
  for (let row = 1; row <= from.length; row++) {
    // Cells further from the diagonal need too many edits.
    const start = Math.max(1, row - most)
    const end = Math.min(to.length, row + most)
    current[start - 1] = row <= most ? row : far
    let least = current[start - 1]!
    for (let column = start; column <= end; column++) {
      const change = last[column - 1]! + (from[row - 1] === to[column - 1] ? 0 : 1)
      const above = column === row + most ? far : last[column]!
      current[column] = Math.min(above + 1, current[column - 1]! + 1, change, far)
      least = Math.min(least, current[column]!)
    }
    if (least > most) return far
    ;[last, current] = [current, last]
  }
  return last[to.length]!
}
