import { ToolError } from '@toolglot/agent'

/** Counts what is asked of each host, so that none is asked too often. */
export class RateLimit {
  readonly #times = new Map<string, number[]>()
  readonly #most: number
  readonly #now: () => number

  constructor(maxRequests: number, now: () => number = () => performance.now()) {
    this.#most = maxRequests
    this.#now = now
  }

  /** Throws if the host was asked often enough within the last minute. */
  take(host: string): void {
    const now = this.#now()
    for (const [each, times] of this.#times)
      if (times.at(-1)! <= now - MINUTE) this.#times.delete(each)
    const times = (this.#times.get(host) ?? []).filter((time) => time > now - MINUTE)
    if (times.length >= this.#most) {
      const seconds = Math.ceil((times[0]! + MINUTE - now) / 1000)
      throw new ToolError(
        'execution_failed',
        `${host} was asked ${this.#most} times within a minute. Wait ${seconds} seconds, or use another source.`,
        { code: 'rate_limited', retry_after: seconds },
      )
    }
    this.#times.set(host, [...times, now])
  }
}

/** In milliseconds. */
const MINUTE = 60_000
