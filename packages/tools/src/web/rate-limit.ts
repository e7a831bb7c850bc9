import { ToolError } from '@toolglot/agent'

/** Limits the number of requests to each host per minute. */
export class RateLimit {
  readonly #times = new Map<string, number[]>()
  readonly #maxRequests: number
  readonly #now: () => number

  constructor(maxRequests: number, now: () => number = () => performance.now()) {
    this.#maxRequests = maxRequests
    this.#now = now
  }

  /** Counts a request. Throws if the host had too many within the last minute. */
  take(host: string): void {
    const now = this.#now()
    for (const [each, times] of this.#times)
      if (times.at(-1)! <= now - MINUTE) this.#times.delete(each)
    const times = (this.#times.get(host) ?? []).filter((time) => time > now - MINUTE)
    if (times.length >= this.#maxRequests) {
      const seconds = Math.ceil((times[0]! + MINUTE - now) / 1000)
      throw new ToolError(
        'execution_failed',
        `${host} received ${this.#maxRequests} requests within a minute. Wait ${seconds} seconds, or use another source.`,
        { code: 'rate_limited', retry_after: seconds },
      )
    }
    this.#times.set(host, [...times, now])
  }
}

/** The length of a minute, in milliseconds. */
const MINUTE = 60_000
