/** Characters that hide, or turn the direction of writing, are written out: nobody approves what they cannot see. */
export function escapeHidden(text: string): string {
  return text.replace(
    /[^\P{C}\n]|[\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`,
  )
}
