/** About as many words as fit into the longest text that is analyzed. */
const MAX = 6000
const LONGEST = 24

/**
 * All commands that a text may contain, however it is parsed: it is split at everything that separates commands, quotes are
 * removed, and every word may start a command. For deny rules, when the text can't be analyzed.
 */
export function guessCommands(text: string): string[][] {
  const found = new Map<string, string[]>()
  const bare = text
    .slice(0, 200_000)
    .replaceAll('\\\n', '')
    .replace(/['"\\\0]/g, '')
  for (const piece of bare.split(/[;&|\n\r()`{}<>]|\$\(/)) {
    const words = piece.split(/\s+/).filter(Boolean)
    for (let at = 0; at < words.length && found.size < MAX; at++) {
      const command = words.slice(at, at + LONGEST)
      found.set(command.slice(0, 6).join(' '), command)
    }
  }
  return [...found.values()]
}
