/** Marks where an expansion was, with its number: no text contains this character. */
const MARK = '\0'
const MARKS = /\0(\d+)\0/g

/**
 * The names that a program may have if the word with its name contains expansions: its literal letters, and the same with the
 * words that the text has in place of an unset variable. ``dd"`x`"`` and `${x:-dd}` may be `dd`. For deny rules, so the text is
 * only roughly read. The first word with an expansion counts, unless it is an assignment.
 */
export function guessNames(text: string): string[] {
  if (text.length > LONGEST || text.includes(MARK)) return []
  const defaults: string[] = []
  const marked = markExpansions(text, defaults).replace(/['"\\]/g, '')
  const word = marked
    .split(/[\s;&|<>()]+/)
    .find((each) => each.includes(MARK) && !IS_SET.test(each))
  if (word === undefined) return []
  const fill = (chosen: (at: number) => boolean): string =>
    word.replace(MARKS, (_, at) => (chosen(Number(at)) ? defaults[Number(at)]! : ''))
  const used = [...word.matchAll(MARKS)].map(([, at]) => Number(at))
  const names = [
    fill(() => false),
    fill(() => true),
    ...used.map((only) => fill((at) => at === only)),
  ]
  // A value may also contain the words that follow the name.
  return [...new Set(names.flatMap((name) => [name, name.trim().split(/\s+/)[0]!]))].filter(Boolean)
}

const LONGEST = 10_000
const IS_SET = /^\w+\+?=/

/** Replaces each expansion by a mark, and adds the text that may stand in its place. */
function markExpansions(text: string, defaults: string[]): string {
  let marked = ''
  for (let at = 0; at < text.length; at++) {
    const end = endOfExpansion(text, at)
    if (end === at) {
      marked += text[at]
      continue
    }
    const [, value = ''] = DEFAULT.exec(text.slice(at, end)) ?? []
    marked += `${MARK}${defaults.push(value.replace(/['"\\]/g, '')) - 1}${MARK}`
    at = end - 1
  }
  return marked
}

/** `${name:-value}`, also with `=` or `+`. */
const DEFAULT = /^\$\{\w+:?[-=+](.*)\}$/s

/** The index after the expansion that starts at an index; the same index if none does. */
function endOfExpansion(text: string, at: number): number {
  if (text[at] === '`') {
    const end = text.indexOf('`', at + 1)
    return end < 0 ? text.length : end + 1
  }
  if (text[at] !== '$') return at
  const name = /^\$(?:\w+|[@*#?$!-])/.exec(text.slice(at, at + 200))
  if (name) return at + name[0].length
  const [open, close] = text[at + 1] === '{' ? '{}' : text[at + 1] === '(' ? '()' : ''
  if (open === undefined) return at
  let depth = 0
  for (let end = at + 1; end < text.length; end++) {
    if (text[end] === open) depth++
    else if (text[end] === close && --depth === 0) return end + 1
  }
  return text.length
}
