/** Converts CRLF to LF: models read and write LF only. */
export function toLf(text: string): string {
  return text.includes('\r\n') ? text.replaceAll('\r\n', '\n') : text
}

/** Converts every line break to CRLF. */
export function toCrlf(text: string): string {
  return toLf(text).replaceAll('\n', '\r\n')
}

/** Whether more than half of the lines end in CRLF. */
export function usesCrlf(text: string): boolean {
  let all = 0
  let crlf = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
    all++
    if (text[at - 1] === '\r') crlf++
  }
  return crlf * 2 > all
}
