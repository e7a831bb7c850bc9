/** How well a text fits what somebody typed: 0 if not at all, 4 if it begins with it. Accents and case do not matter. */
export function matchScore(text: string, typed: string): number {
  const [plain, search] = [withoutAccents(text), withoutAccents(typed).trim()]
  if (search === '') return 1
  if (plain.startsWith(search)) return 4
  const at = plain.indexOf(search)
  if (at >= 0) return /[\p{L}\p{N}]/u.test(plain[at - 1] ?? '') ? 2 : 3
  return search.split(/\s+/).every((word) => plain.includes(word)) ? 1 : 0
}

/** How well something with several texts fits: as well as the best of them. */
export function bestMatch(texts: readonly string[], typed: string): number {
  return Math.max(
    matchScore(texts.join(' '), typed) && 1,
    ...texts.map((text) => matchScore(text, typed)),
  )
}

function withoutAccents(text: string): string {
  return text.toLowerCase().normalize('NFD').replaceAll(/\p{M}/gu, '').replaceAll('đ', 'd')
}
