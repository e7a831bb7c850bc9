/** The place itself; or the one before it, if it is in the middle of a character. */
export function boundaryAtOrBefore(text: string, place: number): number {
  return isInPair(text, place) ? place - 1 : place
}

/** The place itself; or the one behind it, if it is in the middle of a character. */
export function boundaryAtOrAfter(text: string, place: number): number {
  return isInPair(text, place) ? place + 1 : place
}

function isInPair(text: string, place: number): boolean {
  if (place <= 0 || place >= text.length) return false
  return (
    (text.charCodeAt(place - 1) & 0xfc00) === 0xd800 && (text.charCodeAt(place) & 0xfc00) === 0xdc00
  )
}
