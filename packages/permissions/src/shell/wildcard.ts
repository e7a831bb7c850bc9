/** Whether a text matches a pattern in which `*` matches any text. Only the last `*` is retried. */
export function matchesWildcard(pattern: string, text: string): boolean {
  let at = 0
  let star = -1
  let resume = 0
  let position = 0
  while (position < text.length) {
    if (pattern[at] === '*') {
      star = at++
      resume = position
    } else if (at < pattern.length && pattern[at] === text[position]) {
      at++
      position++
    } else if (star >= 0) {
      at = star + 1
      position = ++resume
    } else return false
  }
  while (pattern[at] === '*') at++
  return at === pattern.length
}
