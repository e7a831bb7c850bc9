/** Where a pattern stands in a text, at most so many times. Linear, whatever both are (Knuth, Morris, Pratt). */
export function findAll<Unit>(
  text: ArrayLike<Unit>,
  pattern: ArrayLike<Unit>,
  { most = Infinity, overlapping = true }: { most?: number; overlapping?: boolean } = {},
): number[] {
  const found: number[] = []
  if (pattern.length === 0) return found
  const fallback = fallbacks(pattern)
  let matched = 0
  for (let at = 0; at < text.length && found.length < most; at++) {
    while (matched > 0 && text[at] !== pattern[matched]) matched = fallback[matched - 1]!
    if (text[at] === pattern[matched]) matched++
    if (matched < pattern.length) continue
    found.push(at - matched + 1)
    matched = overlapping ? fallback[matched - 1]! : 0
  }
  return found
}

/** For each beginning of a pattern: how much of it is its beginning again. */
function fallbacks<Unit>(pattern: ArrayLike<Unit>): Int32Array {
  const fallback = new Int32Array(pattern.length)
  for (let at = 1, matched = 0; at < pattern.length; at++) {
    while (matched > 0 && pattern[at] !== pattern[matched]) matched = fallback[matched - 1]!
    if (pattern[at] === pattern[matched]) matched++
    fallback[at] = matched
  }
  return fallback
}
