import { HttpError } from './http-error.ts'
import type { Limits } from './limits.ts'

/** Counts the requests of each token. */
export interface Quota {
  /** Takes a place for one request, and returns the function that frees it. Throws an HttpError if there is none. */
  enter(token: string): () => void
}

/** Creates a quota. */
export function createQuota(
  { concurrentRequests, requestsPerSecond, burst }: Limits,
  now: () => number = () => performance.now(),
): Quota {
  // As many entries as there are tokens: only valid ones are counted.
  const uses = new Map<string, { running: number; left: number; at: number }>()

  return {
    enter(token) {
      let use = uses.get(token)
      if (!use) uses.set(token, (use = { running: 0, left: burst, at: now() }))

      if (use.running >= concurrentRequests) {
        throw tooMany(
          `This token has ${concurrentRequests} requests running, which is the limit`,
          1,
        )
      }
      if (requestsPerSecond !== Infinity) {
        const at = now()
        use.left = Math.min(burst, use.left + ((at - use.at) / 1000) * requestsPerSecond)
        use.at = at
        if (use.left < 1) {
          const wait = Math.ceil((1 - use.left) / requestsPerSecond)
          throw tooMany(`This token may send ${requestsPerSecond} requests a second`, wait)
        }
        use.left -= 1
      }

      use.running += 1
      let free = false
      return () => {
        if (free) return
        free = true
        use.running -= 1
      }
    },
  }
}

function tooMany(message: string, seconds: number): HttpError {
  return new HttpError('rate_limited', `${message}. Try again later.`, {
    headers: { 'retry-after': String(seconds) },
  })
}
