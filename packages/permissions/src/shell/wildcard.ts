/** Whether a text is one that a pattern with `*` (any text) means. Linear but for the last star tried again. */
export function matchesWildcard(pattern: string, text: string): boolean {
  let at = 0
  let star = -1
  let resume = 0
  let place = 0
  while (place < text.length) {
    if (pattern[at] === '*') {
      star = at++
      resume = place
    } else if (at < pattern.length && pattern[at] === text[place]) {
      at++
      place++
    } else if (star >= 0) {
      at = star + 1
      place = ++resume
    } else return false
  }
  while (pattern[at] === '*') at++
  return at === pattern.length
}
