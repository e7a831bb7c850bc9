/** What is said below a part of something: how much there is, and how to go on. Empty if all was shown. */
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
  return last < total ? `${part} Use offset=${last + 1} to go on.` : `${part} That is the end.`
}
