/** A line, cut where it is too long, never inside a character. */
export function cutLine(line: string, longest = 2000): string {
  if (line.length <= longest) return line
  const code = line.charCodeAt(longest - 1)
  const whole = code >= 0xd800 && code <= 0xdbff ? longest - 1 : longest
  return `${line.slice(0, whole)}… [line cut at ${longest} characters]`
}
