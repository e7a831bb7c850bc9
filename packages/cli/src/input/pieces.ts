/** Cuts a text into small chunks, as a model would send them. */
export function* piecesOf(text: string, size: number): Iterable<string> {
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size)
}
