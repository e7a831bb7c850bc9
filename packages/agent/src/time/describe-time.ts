/** A time for people, exact to the second: `7 s`, `0.5 s`, `2 min 5 s`, `1 h`. */
export function describeTime(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.max(0.1, Math.ceil(milliseconds / 100) / 10)} s`
  const seconds = Math.ceil(milliseconds / 1000)
  const parts: readonly (readonly [number, string])[] = [
    [Math.floor(seconds / 3600), 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ]
  const shown = parts.filter(([count]) => count > 0).map(([count, unit]) => `${count} ${unit}`)
  return shown.join(' ')
}
