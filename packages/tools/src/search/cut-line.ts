/** Cuts a line that is too long, never inside a character. */
export function cutLine(line: string, max = 2000): string {
  if (line.length <= max) return line
  const code = line.charCodeAt(max - 1)
  const end = code >= 0xd800 && code <= 0xdbff ? max - 1 : max
  return `${line.slice(0, end)}… [line cut at ${max} characters]`
}
