import { OTHER } from './by-name.ts'

/** The start of the first of the last days in UTC, in milliseconds since 1970. The last 1 is today. */
export function startOfLastDays(days: number, now: number = Date.now()): number {
  return now - (now % DAY) - (days - 1) * DAY
}

/** The day of a time in UTC, such as 2026-01-31. */
export function dayOf(time: number): string {
  // Later years have more digits, and some numbers are no time at all.
  return time >= 0 && time <= LAST_TIME ? new Date(time).toISOString().slice(0, 10) : OTHER
}

const LAST_TIME = Date.UTC(9999, 11, 31)
/** In milliseconds. */
const DAY = 86_400_000
