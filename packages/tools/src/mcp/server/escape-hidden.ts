/** Escapes invisible and bidirectional characters, so that users see what they approve. */
export function escapeHidden(text: string): string {
  return text.replace(
    /[^\P{C}\n]|[\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`,
  )
}
