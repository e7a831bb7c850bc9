/** Text with one kind of line end: what a model writes and reads. */
export function withoutReturns(text: string): string {
  return text.includes('\r\n') ? text.replaceAll('\r\n', '\n') : text
}

export function withReturns(text: string): string {
  return withoutReturns(text).replaceAll('\n', '\r\n')
}

/** Whether most of its lines end in carriage return and line feed. */
export function hasReturns(text: string): boolean {
  let all = 0
  let long = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
    all++
    if (text[at - 1] === '\r') long++
  }
  return long * 2 > all
}
