/** The plainest form of braces: one list of plain texts in a word without quotes. */
const LIST = /^([\w./@%+:=*?-]*)\{([\w./@%+:=*?-]*(?:,[\w./@%+:=*?-]*)+)\}([\w./@%+:=*?-]*)$/
const RANGE = /^([\w./@%+:=*?-]*)\{(\d{1,4})\.\.(\d{1,4})\}([\w./@%+:=*?-]*)$/
const MAX = 100

/** The words that braces stand for, which may be patterns: `a.{ts,js}`, `{1..3}`. Undefined for anything less plain. */
export function expandBraces(text: string): readonly string[] | undefined {
  if (!text.includes('{')) return undefined
  const [, before = '', items, after = ''] = LIST.exec(text) ?? []
  const words = items?.split(',').map((item) => before + item + after)
  if (words) return words.every(Boolean) && words.length <= MAX ? words : undefined
  const [, head = '', from = '', to = '', tail = ''] = RANGE.exec(text) ?? []
  // A leading zero makes all numbers equally long.
  if (from === '' || /^0\d/.test(from) || /^0\d/.test(to)) return undefined
  const count = Math.abs(Number(to) - Number(from)) + 1
  if (count > MAX) return undefined
  const step = Number(from) <= Number(to) ? 1 : -1
  return Array.from({ length: count }, (_, at) => `${head}${Number(from) + at * step}${tail}`)
}
