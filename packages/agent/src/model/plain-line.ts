/**
 * The first line of untrusted text for use in a message, without control characters and truncated
 * to a maximum length.
 */
export function plainLine(text: string, maxLength = 200): string {
  const head = text.trimStart().slice(0, maxLength + 1)
  const line = head.split(/[\r\n\u2028\u2029]/, 1)[0] ?? ''
  const visible = line.replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '\ufffd').trimEnd()
  return visible.length > maxLength || (line.length === head.length && head.length > maxLength)
    ? `${visible.slice(0, maxLength)}…`
    : visible
}
