/**
 * A score for the match of a text with the typed one: from 0 for no match to 4 if it begins with
 * it. Ignores accents and case.
 */
export function matchScore(text: string, typed: string): number {
  const [plain, search] = [withoutAccents(text), withoutAccents(typed).trim()]
  if (search === '') return 1
  if (plain.startsWith(search)) return 4
  const at = plain.indexOf(search)
  if (at >= 0) return /[\p{L}\p{N}]/u.test(plain[at - 1] ?? '') ? 2 : 3
  return search.split(/\s+/).every((word) => plain.includes(word)) ? 1 : 0
}

/** The best score of several texts. */
export function bestMatch(texts: readonly string[], typed: string): number {
  return Math.max(
    matchScore(texts.join(' '), typed) && 1,
    ...texts.map((text) => matchScore(text, typed)),
  )
}

function withoutAccents(text: string): string {
  return text.toLowerCase().normalize('NFD').replaceAll(/\p{M}/gu, '').replaceAll('đ', 'd')
}
