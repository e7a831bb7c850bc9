import { visibleLine } from '@toolglot/workspace/internal'

/** A word of a command line that can be copied into a shell, and means only itself there. */
export function shellWord(text: string): string {
  const word = visibleLine(text)
  return /^[\w./:@%+,#-]+$/.test(word) && !word.startsWith('#')
    ? word
    : `'${word.replaceAll("'", `'\\''`)}'`
}
