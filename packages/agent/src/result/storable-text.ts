/** Makes text safe to store and send: lone surrogates become U+FFFD, and NUL becomes its symbol. */
export function toStorableText(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd').replaceAll('\0', '\u2400')
}
