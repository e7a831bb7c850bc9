/** The lines of a text, and where each begins. */
export interface Lines {
  readonly texts: readonly string[]
  readonly starts: readonly number[]
}

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

/** The number of the line that a place is in, from 1. */
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
