/** The code in what somebody pasted: a login link, the end of one, or the code itself; undefined if there is none. */
export function loginCode(pasted: string): string | undefined {
  const text = pasted.trim()
  const code = /#login=([^&\s]+)/.exec(text)?.[1] ?? text
  return /^[\w.-]+$/.test(code) ? code : undefined
}
