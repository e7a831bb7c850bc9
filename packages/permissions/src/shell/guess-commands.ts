/** As many words as fit into the longest text that is read. */
const MAX = 6000
const LONGEST = 24

/**
 * The commands a text may hold, however it is read: cut at everything that parts commands, quotes taken off, from every word
 * on. For rules that deny, where the grammar gave up.
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
