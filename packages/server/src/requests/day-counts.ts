import type { RequestFacts } from './shown-request.ts'

/** What the gateway did today, in the time zone of the server, since the server started. */
export interface DayCounts {
  /** When the day began, or the server started: in milliseconds since 1970. */
  readonly since: number
  readonly requests: number
  readonly calls: number
  /** How many repairs calls needed. */
  readonly repairs: number
  /** How many requests were answered with an error. */
  readonly errors: number
  readonly inputTokens: number
  readonly outputTokens: number
}

/** Counts requests of one day, and starts again on the next. */
export class DayTally {
  readonly #now: () => number
  #counts: DayCounts
  #ends: number

  constructor(now: () => number) {
    this.#now = now
    this.#counts = empty(now())
    this.#ends = startOfDay(now(), 1)
  }

  /** The counts of today. */
  now(): DayCounts {
    if (this.#now() >= this.#ends) {
      this.#counts = empty(startOfDay(this.#now(), 0))
      this.#ends = startOfDay(this.#now(), 1)
    }
    return this.#counts
  }

  /** Counts a request that came. */
  begin(): void {
    const counts = this.now()
    this.#counts = { ...counts, requests: counts.requests + 1 }
  }

  /** Counts what became of a request. */
  end({ outcome, calls = 0, repairs = [], usage }: RequestFacts): void {
    const counts = this.now()
    this.#counts = {
      ...counts,
      calls: counts.calls + calls,
      repairs: counts.repairs + repairs.length,
      errors: counts.errors + (outcome === 'error' ? 1 : 0),
      inputTokens: counts.inputTokens + amount(usage?.input),
      outputTokens: counts.outputTokens + amount(usage?.output),
    }
  }
}

function empty(since: number): DayCounts {
  return { since, requests: 0, calls: 0, repairs: 0, errors: 0, inputTokens: 0, outputTokens: 0 }
}

function startOfDay(time: number, later: number): number {
  const date = new Date(time)
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + later).getTime()
}

/** Servers report their usage themselves. */
function amount(count = 0): number {
  return Number.isFinite(count) && count > 0 ? count : 0
}
