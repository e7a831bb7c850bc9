import { withoutUndefined } from '@toolglot/agent/internal'
import { UserError } from '@toolglot/workspace'
import { HttpError } from './http-error.ts'

const KIB = 1024
const MIB = 1024 * KIB

/** The limits of the server. Sizes are in bytes, times in milliseconds. */
export interface Limits {
  /** The maximum number of concurrent requests per token. */
  readonly concurrentRequests: number
  /** The average number of requests per second and token. */
  readonly requestsPerSecond: number
  /**
   * The number of requests per token that can be sent in a burst before `requestsPerSecond`
   * applies.
   */
  readonly burst: number
  /** The maximum size of a request body. */
  readonly bodySize: number
  /**
   * The maximum body size of a request to the gateway, which contains images and whole
   * conversations.
   */
  readonly gatewayBodySize: number
  /** The maximum total size of the bodies of all current requests, in bytes. */
  readonly allBodiesSize: number
  /** The maximum size of a request's path and query. */
  readonly urlSize: number
  /** The maximum size of a request's headers, including its URL. */
  readonly headersSize: number
  /** The maximum nesting depth of a body. */
  readonly jsonDepth: number
  /** The time until all headers have arrived. */
  readonly headersTimeout: number
  /**
   * The maximum time between two pieces of a body. A body that takes longer in total must arrive at
   * `bodyRate`.
   */
  readonly bodyTimeout: number
  /** The minimum rate of a body, in bytes per second. */
  readonly bodyRate: number
  /**
   * The maximum number of open connections. At the limit, a new connection replaces one of the
   * client with the most.
   */
  readonly connections: number
  /** The maximum number of connections per token: at most half of `connections`. */
  readonly connectionsPerToken: number
  /** The maximum time that a client may leave available data of a response unread. */
  readonly stalledTimeout: number
  /** The time for responses to end when the server stops. */
  readonly stopTimeout: number
}

const LOOPBACK: Limits = {
  concurrentRequests: 256,
  requestsPerSecond: Infinity,
  burst: Infinity,
  bodySize: MIB,
  gatewayBodySize: 32 * MIB,
  allBodiesSize: 256 * MIB,
  urlSize: 8 * KIB,
  headersSize: 16 * KIB,
  jsonDepth: 64,
  headersTimeout: 10_000,
  bodyTimeout: 30_000,
  bodyRate: 64 * KIB,
  connections: 2048,
  connectionsPerToken: 256,
  stalledTimeout: 30_000,
  stopTimeout: 5_000,
}

const REMOTE: Limits = {
  ...LOOPBACK,
  concurrentRequests: 32,
  requestsPerSecond: 10,
  burst: 20,
  connections: 512,
  connectionsPerToken: 64,
}

/** The default limits, depending on whether other machines can reach the server. */
export function limitsFor(isLoopback: boolean, changed: Partial<Limits> = {}): Limits {
  const given = withoutUndefined(changed)
  for (const [name, value] of Object.entries(given)) {
    if (typeof value === 'number' && value > 0) continue
    throw new UserError(
      'data',
      `The server's limit ${name} must be above 0, not ${value}. Change it, or omit it for the default`,
    )
  }
  return { ...(isLoopback ? LOOPBACK : REMOTE), ...given }
}

/** Counts the requests of each token. */
interface Quota {
  /**
   * Reserves a slot for one request, and returns a function that frees it. Throws an HttpError if
   * no slot is free.
   */
  enter(token: string): () => void
}

/** Creates a quota. */
export function createQuota(
  { concurrentRequests, requestsPerSecond, burst }: Limits,
  now: () => number = () => performance.now(),
): Quota {
  // One entry per token: only valid tokens are counted.
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
