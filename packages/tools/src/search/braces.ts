/** Expands `a{b,c}` to `ab` and `ac`; undefined if there would be more than `max` patterns, or the pattern is too long. */
export function expandBraces(pattern: string, max: number = MAX_EXPANSIONS): string[] | undefined {
  if (pattern.length > MAX_GLOB) return undefined
  const open = openingOf(pattern)
  if (!open) return [pattern]
  const before = pattern.slice(0, open.from)
  const rests = expandBraces(pattern.slice(open.to + 1), max)
  if (!rests) return undefined
  const found: string[] = []
  for (const choice of open.choices) {
    const middles = expandBraces(choice, max)
    if (!middles || found.length + middles.length * rests.length > max) return undefined
    for (const middle of middles) for (const rest of rests) found.push(before + middle + rest)
  }
  return found
}

/** Maximum number of patterns that the braces of one glob expand to. */
export const MAX_EXPANSIONS = 256
/** The longest glob, in characters: as long as a path can be. */
export const MAX_GLOB = 4096

/** The first brace that is closed and contains a comma; others are plain text. */
function openingOf(
  pattern: string,
): { readonly from: number; readonly to: number; readonly choices: readonly string[] } | undefined {
  const open: { from: number; commas: number[] }[] = []
  const closed: { from: number; to: number; commas: number[] }[] = []
  let inClass = false
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern[at]
    if (character === '\\') at++
    else if (inClass) inClass = character !== ']'
    else if (character === '[') inClass = pattern.includes(']', at + 1)
    else if (character === '{') open.push({ from: at, commas: [] })
    else if (character === ',') open.at(-1)?.commas.push(at)
    else if (character === '}') {
      const brace = open.pop()
      if (brace && brace.commas.length > 0) closed.push({ ...brace, to: at })
    }
  }
  const first = closed.sort((one, other) => one.from - other.from)[0]
  if (!first) return undefined
  const ends = [first.from, ...first.commas, first.to]
  const choices = ends.slice(1).map((end, index) => pattern.slice(ends[index]! + 1, end))
  return { from: first.from, to: first.to, choices }
}
