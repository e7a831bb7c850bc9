/** The lines of a text, and the index where each begins. */
export interface Lines {
  readonly texts: readonly string[]
  readonly starts: readonly number[]
}

/** Splits a text into lines. */
export function linesOf(text: string): Lines {
  const texts = text.split('\n')
  const starts: number[] = []
  let start = 0
  for (const line of texts) {
    starts.push(start)
    start += line.length + 1
  }
  return { texts, starts }
}

/** The number, from 1, of the line that contains an index. */
export function lineAt({ starts }: Lines, place: number): number {
  let low = 0
  let high = starts.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (starts[middle]! <= place) low = middle + 1
    else high = middle
  }
  return low
}
