export interface TextSlice {
  readonly text: string
  /** Where the next piece begins; undefined if this is the last. */
  readonly next?: number
}

/** A piece of a text, from `offset` on; no character is cut in two. */
export function sliceText(text: string, offset: number, maxLength: number): TextSlice {
  const from = splitsPair(text, offset) ? offset - 1 : offset
  const end = from + maxLength
  if (end >= text.length) return { text: text.slice(from) }
  const next = splitsPair(text, end) ? end - 1 : end
  return { text: text.slice(from, next), next }
}

function splitsPair(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1)
  const after = text.charCodeAt(at)
  return before >= 0xd800 && before < 0xdc00 && after >= 0xdc00 && after < 0xe000
}
