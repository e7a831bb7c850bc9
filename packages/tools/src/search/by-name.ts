/** Compares by code units: the same order everywhere, whatever the locale. */
export function byName(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}
