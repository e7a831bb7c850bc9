/** Text that can be stored and sent anywhere: half characters become U+FFFD, NUL the sign for it. */
export function toStorableText(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd').replaceAll('\0', '\u2400')
}
