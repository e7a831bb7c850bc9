/** How much time is left, in the largest unit that says enough. */
export interface TimeLeft {
  readonly unit: 'second' | 'minute' | 'hour' | 'day'
  readonly value: number
  /** After how many milliseconds that reads differently: never less than a second. */
  readonly changesIn: number
}

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
] as const

/** How much time is left of so many milliseconds; undefined if there is none. */
export function timeLeft(milliseconds: number): TimeLeft | undefined {
  if (milliseconds <= 0) return undefined
  // Two of a unit or more: "90 seconds" says more than "1 minute".
  const [unit, size] = UNITS.find(([, each]) => milliseconds > 2 * each - each / 2) ?? UNITS[3]
  const value = Math.ceil(milliseconds / size)
  const rest = milliseconds - (value - 1) * size
  return { unit, value, changesIn: Math.max(1000, Math.min(rest, size)) }
}
