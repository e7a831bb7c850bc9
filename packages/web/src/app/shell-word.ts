/**
 * Quotes text as one literal word for a POSIX shell. Inside single quotes only the closing quote is
 * special.
 */
export function shellWord(text: string): string {
  return /^[\w./:@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
