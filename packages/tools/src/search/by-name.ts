/** By code units: the same everywhere, whatever the language. */
export function byName(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}
