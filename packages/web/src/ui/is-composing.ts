/** The fields of a key event that show whether an input method handles it. */
interface ComposingKey {
  readonly isComposing: boolean
  readonly keyCode: number
}

/**
 * Whether a key belongs to an input method: it confirms or discards what is proposed there, and means nothing to the page. Some
 * browsers report the last such key as an ordinary one, with this code.
 */
export function isComposing({ isComposing: is, keyCode }: ComposingKey): boolean {
  return is || keyCode === 229
}
