/** A text as one word of a POSIX shell, which means only itself there: nothing in single quotes has a meaning but their end. */
export function shellWord(text: string): string {
  return /^[\w./:@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
