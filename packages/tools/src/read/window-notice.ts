/** The note below a partial listing: how much there is, and how to continue. Empty if everything was shown. */
export function windowNotice(window: {
  readonly what: 'lines' | 'names'
  readonly first: number
  readonly last: number
  readonly total: number
}): string {
  const { what, first, last, total } = window
  if (first > total) return `offset ${first} is past the end: there are ${total} ${what}.`
  if (first === 1 && last === total) return ''
  const part = `Showing ${what} ${first}-${last} of ${total}.`
  return last < total ? `${part} Use offset=${last + 1} to continue.` : `${part} This is the end.`
}
