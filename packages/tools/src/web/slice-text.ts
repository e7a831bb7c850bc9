export interface Cut {
  readonly text: string
  /** Where the next piece begins; undefined if this is the last. */
  readonly next?: number
}

/** A piece of a text, from `offset` on; no character is cut in two. */
export function cut(text: string, offset: number, most: number): Cut {
  const from = isInside(text, offset) ? offset - 1 : offset
  const end = from + most
  if (end >= text.length) return { text: text.slice(from) }
  const next = isInside(text, end) ? end - 1 : end
  return { text: text.slice(from, next), next }
}

function isInside(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1)
  const after = text.charCodeAt(at)
  return before >= 0xd800 && before < 0xdc00 && after >= 0xdc00 && after < 0xe000
}
