// Folder: Requests to the gateway, as the page shows them.
import { setTimeout as pause } from 'node:timers/promises'
import type { GatewayReport, ReadRequest } from '../gateway/report.ts'
import { createBell } from '../runs/feed.ts'
import {
  type RequestFacts,
  type RequestOrigin,
  type ShownRequest,
  shownRequest,
} from './shown-request.ts'

/** The gateway's counts today, in the server's time zone, since the server started. */
interface DayCounts {
  /** The start of the day or of the server, in milliseconds since 1970. */
  readonly since: number
  readonly requests: number
  readonly calls: number
  /** The number of repairs made to calls. */
  readonly repairs: number
  /** The number of requests answered with an error. */
  readonly errors: number
  readonly inputTokens: number
  readonly outputTokens: number
}

/** Counts the requests of one day, and starts again on the next. */
class DayTally {
  readonly #now: () => number
  #counts: DayCounts
  #ends: number

  constructor(now: () => number) {
    this.#now = now
    this.#counts = empty(now())
    this.#ends = startOfDay(now(), 1)
  }

  /** Today's counts. */
  now(): DayCounts {
    if (this.#now() >= this.#ends) {
      this.#counts = empty(startOfDay(this.#now(), 0))
      this.#ends = startOfDay(this.#now(), 1)
    }
    return this.#counts
  }

  /** Counts a new request. */
  begin(): void {
    const counts = this.now()
    this.#counts = { ...counts, requests: counts.requests + 1 }
  }

  /** Counts the outcome of a request. */
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

/** The latest requests to the gateway, to be watched by people. They are only in memory. */
export interface GatewayFeed {
  /** Adds a new request. */
  start(request: Pick<RequestOrigin, 'api' | 'userAgent' | 'token'>): OpenRequest
  /** Adds a request that the server refused before it reached the gateway. */
  refuse(request: Pick<RequestOrigin, 'api' | 'token' | 'time'>, facts: RequestFacts): void
  /** The latest requests, the newest first. */
  list(): ShownRequests
  /** Yields the latest requests immediately, and then changes to them, until the signal aborts. */
  follow(signal: AbortSignal): AsyncGenerator<ShownRequests, void>
}

/** Updates a request in the feed. */
export interface OpenRequest {
  readonly read: (request: ReadRequest) => void
  readonly end: (report: GatewayReport) => void
}

/** Requests to the gateway, the newest first, and today's counts. */
export interface ShownRequests {
  /** True if these are all requests rather than only the changed ones. */
  readonly all: boolean
  readonly requests: readonly ShownRequest[]
  readonly today: DayCounts
}

/**
 * Creates a feed. Its strings are safe to display, and the work per request doesn't depend on the
 * number of requests.
 */
export function createGatewayFeed(now: () => number = Date.now): GatewayFeed {
  const kept = new Map<string, ShownRequest>()
  /** The ids of the requests, in a ring buffer that overwrites the oldest. */
  const ids: string[] = []
  const readers = new Set<(id: string) => void>()
  const today = new DayTally(now)
  const epoch = now().toString(36)
  let count = 0

  function add(request: Omit<RequestOrigin, 'id'>, facts?: RequestFacts): RequestOrigin {
    const origin = { ...request, id: `req-${epoch}-${++count}` }
    const { id } = origin
    kept.delete(ids[count % MAX_KEPT] ?? '')
    ids[count % MAX_KEPT] = id
    kept.set(id, shownRequest(origin, facts))
    today.begin()
    return origin
  }
  function changed(id: string): void {
    for (const tell of readers) tell(id)
  }
  function show(all: boolean, requests: readonly ShownRequest[]): ShownRequests {
    return { all, requests: [...requests].reverse(), today: today.now() }
  }
  const list = (): ShownRequests => show(true, [...kept.values()])

  return {
    start(request) {
      const origin = add({ ...request, time: now() })
      const { id } = origin
      const update = (facts: RequestFacts): void => {
        // Updating an existing entry does not change the order.
        if (kept.has(id)) kept.set(id, shownRequest(origin, facts))
        changed(id)
      }
      changed(id)
      return {
        read: update,
        end(report) {
          today.end(report)
          update(report)
        },
      }
    },
    refuse(request, facts) {
      const { id } = add({ ...request, userAgent: null }, facts)
      today.end(facts)
      changed(id)
    },
    list,
    async *follow(signal) {
      const bell = createBell()
      /** Requests that changed since the last message. */
      const news = new Set<string>()
      const tell = (id: string): void => {
        news.add(id)
        // Requests that are no longer kept are not sent.
        if (news.size > 2 * MAX_KEPT)
          for (const each of news) if (!kept.has(each)) news.delete(each)
        bell.ring()
      }
      readers.add(tell)
      signal.addEventListener('abort', bell.ring)
      try {
        yield list()
        while (!signal.aborted) {
          await bell.rung()
          // Many changes may occur simultaneously.
          await pause(MIN_PAUSE)
          const requests = [...kept.values()].filter(({ id }) => news.has(id))
          news.clear()
          if (requests.length > 0 && !signal.aborted) yield show(false, requests)
        }
      } finally {
        readers.delete(tell)
        signal.removeEventListener('abort', bell.ring)
      }
    },
  }
}

const MAX_KEPT = 200
/** The minimum time between two messages, in milliseconds. */
const MIN_PAUSE = 100

function empty(since: number): DayCounts {
  return { since, requests: 0, calls: 0, repairs: 0, errors: 0, inputTokens: 0, outputTokens: 0 }
}

function startOfDay(time: number, later: number): number {
  const date = new Date(time)
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + later).getTime()
}

/** Model servers report their own usage, so the value may be invalid. */
function amount(count = 0): number {
  return Number.isFinite(count) && count > 0 ? count : 0
}
