/** The indexes of a pattern in a text, at most `max`. Always takes linear time (Knuth, Morris, Pratt). */
export function findAll<Unit>(
  text: ArrayLike<Unit>,
  pattern: ArrayLike<Unit>,
  { max = Infinity, overlapping = true }: { max?: number; overlapping?: boolean } = {},
): number[] {
  const found: number[] = []
  if (pattern.length === 0) return found
  const fallback = fallbacks(pattern)
  let matched = 0
  for (let at = 0; at < text.length && found.length < max; at++) {
    while (matched > 0 && text[at] !== pattern[matched]) matched = fallback[matched - 1]!
    if (text[at] === pattern[matched]) matched++
    if (matched < pattern.length) continue
    found.push(at - matched + 1)
    matched = overlapping ? fallback[matched - 1]! : 0
  }
  return found
}

/** For each prefix of a pattern: the length of its longest proper suffix that is also a prefix. */
function fallbacks<Unit>(pattern: ArrayLike<Unit>): Int32Array {
  const fallback = new Int32Array(pattern.length)
  for (let at = 1, matched = 0; at < pattern.length; at++) {
    while (matched > 0 && pattern[at] !== pattern[matched]) matched = fallback[matched - 1]!
    if (pattern[at] === pattern[matched]) matched++
    fallback[at] = matched
  }
  return fallback
}
