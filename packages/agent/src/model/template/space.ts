/** True if the character is white space in Python. */
export function isSpace(character: string | undefined): boolean {
  return character !== undefined && SPACES.has(character)
}

const SPACES: ReadonlySet<string> = new Set(
  '\t\n\v\f\r\u001c\u001d\u001e\u001f \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000',
)

/** Removes characters from the ends of a string like Python's `strip`. Default: white space. */
export function strip(text: string, ends: 'both' | 'start' | 'end', characters?: string): string {
  const set = characters === undefined ? undefined : new Set(characters)
  const isRemoved = (character: string | undefined): boolean =>
    character !== undefined && (set ? set.has(character) : isSpace(character))
  let start = 0
  let end = text.length
  if (ends !== 'end') while (start < end && isRemoved(text[start])) start += 1
  if (ends !== 'start') while (end > start && isRemoved(text[end - 1])) end -= 1
  return text.slice(start, end)
}

/** Splits a string at white space, at most `max` times. The rest of the string stays unsplit. */
export function splitWords(text: string, max: number): string[] {
  const words: string[] = []
  let position = 0
  for (;;) {
    while (isSpace(text[position])) position += 1
    if (position >= text.length) return words
    if (max >= 0 && words.length >= max) return [...words, strip(text.slice(position), 'end')]
    const start = position
    while (position < text.length && !isSpace(text[position])) position += 1
    words.push(text.slice(start, position))
  }
}
