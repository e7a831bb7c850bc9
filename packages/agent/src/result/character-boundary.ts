/** The index itself, or the one before it if it is inside a surrogate pair. */
export function boundaryAtOrBefore(text: string, index: number): number {
  return isInSurrogatePair(text, index) ? index - 1 : index
}

/** The index itself, or the one after it if it is inside a surrogate pair. */
export function boundaryAtOrAfter(text: string, index: number): number {
  return isInSurrogatePair(text, index) ? index + 1 : index
}

function isInSurrogatePair(text: string, index: number): boolean {
  if (index <= 0 || index >= text.length) return false
  return (
    (text.charCodeAt(index - 1) & 0xfc00) === 0xd800 && (text.charCodeAt(index) & 0xfc00) === 0xdc00
  )
}
