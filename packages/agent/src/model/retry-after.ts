/** How long a server asks to wait, in milliseconds: `retry-after-ms`, or `retry-after` in seconds or as a date. */
export function retryAfterOf(headers: Headers, now: number = Date.now()): number | undefined {
  const exact = headers.get('retry-after-ms')
  if (exact !== null && NUMBER.test(exact.trim())) return Number(exact)
  const given = headers.get('retry-after')?.trim()
  if (!given) return undefined
  if (NUMBER.test(given)) return Math.round(Number(given) * 1000)
  // A date begins with the name of a day: what else the parser would take is none.
  const date = /^[A-Za-z]{3,9},? /.test(given) ? Date.parse(given) : NaN
  // A date behind us is now.
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

const NUMBER = /^\d{1,9}(\.\d{1,9})?$/
