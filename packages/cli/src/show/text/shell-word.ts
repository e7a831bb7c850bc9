import { visibleLine } from '@toolglot/workspace/internal'

/**
 * Quotes a word of a command line so that it can be pasted into a shell without any special
 * meaning.
 */
export function shellWord(text: string): string {
  const word = visibleLine(text)
  return /^[\w./:@%+,#-]+$/.test(word) && !word.startsWith('#')
    ? word
    : `'${word.replaceAll("'", `'\\''`)}'`
}
