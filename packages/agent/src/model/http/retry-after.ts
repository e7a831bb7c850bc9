/** How long a server asks clients to wait, in milliseconds: `retry-after-ms`, or `retry-after` (seconds or a date). */
export function readRetryAfter(headers: Headers, now: number = Date.now()): number | undefined {
  const exact = headers.get('retry-after-ms')
  if (exact !== null && NUMBER.test(exact.trim())) return Number(exact)
  const given = headers.get('retry-after')?.trim()
  if (!given) return undefined
  if (NUMBER.test(given)) return Math.round(Number(given) * 1000)
  // An HTTP date starts with a weekday. The parser also accepts much that is not a date.
  const date = /^[A-Za-z]{3,9},? /.test(given) ? Date.parse(given) : NaN
  // A date in the past means now.
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

const NUMBER = /^\d{1,9}(\.\d{1,9})?$/
