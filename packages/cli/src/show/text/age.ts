/** How long something has lasted, in the largest unit that fits: `3 min`; undefined if that is less than a minute. */
export function age(milliseconds: number): string | undefined {
  const unit = UNITS.find(([size]) => milliseconds >= size)
  return unit && `${Math.floor(milliseconds / unit[0])} ${unit[1]}`
}

const UNITS = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
] as const
