/** One line of what a stranger wrote, for a message: nothing in it moves a cursor, and it is never long. */
export function plainLine(text: string, most = 200): string {
  const head = text.trimStart().slice(0, most + 1)
  const line = head.split(/[\r\n\u2028\u2029]/, 1)[0] ?? ''
  const seen = line.replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '\ufffd').trimEnd()
  return seen.length > most || (line.length === head.length && head.length > most)
    ? `${seen.slice(0, most)}…`
    : seen
}
