/** The fields of a key event that show whether an input method handles it. */
interface ComposingKey {
  readonly isComposing: boolean
  readonly keyCode: number
}

/**
 * True if an input method handles the key: it confirms or discards a suggestion, and has no effect
 * on the page. Some browsers report the last such key as an ordinary one, with this code.
 */
export function isComposing({ isComposing: is, keyCode }: ComposingKey): boolean {
  return is || keyCode === 229
}
