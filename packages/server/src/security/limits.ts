import { withoutUndefined } from '@toolglot/agent/internal'
import { UserError } from '@toolglot/workspace'
import { HttpError } from './http-error.ts'

const KIB = 1024
const MIB = 1024 * KIB

/** The limits of the server. Sizes are in bytes, times in milliseconds. */
export interface Limits {
  /** How many requests of one token are answered at the same time. */
  readonly concurrentRequests: number
  /** How many requests one token sends in a second, on average. */
  readonly requestsPerSecond: number
  /** How many requests one token sends at once before `requestsPerSecond` counts. */
  readonly burst: number
  /** The body of a request. */
  readonly bodySize: number
  /** The body of a request to the gateway: it contains images and whole conversations. */
  readonly gatewayBodySize: number
  /** The bodies of all requests that are being answered. */
  readonly allBodiesSize: number
  /** The path and the query of a request. */
  readonly urlSize: number
  /** The headers of a request, its URL included. */
  readonly headersSize: number
  /** How deep arrays and objects are nested in a body. */
  readonly jsonDepth: number
  /** Until all headers have arrived. */
  readonly headersTimeout: number
  /** Between two pieces of a body. A body that takes longer in total must arrive at `bodyRate`. */
  readonly bodyTimeout: number
  /** Bytes a second. */
  readonly bodyRate: number
  /** How many connections may be open. At the limit, one of the client with the most is closed for a new one. */
  readonly connections: number
  /** How many of them show the same token: never more than half of `connections`. */
  readonly connectionsPerToken: number
  /** How long a client may take nothing of a response that is ready for it. */
  readonly stalledTimeout: number
  /** How long responses may take to end when the server stops. */
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

/** The limits of a server that only this machine can reach, or of one that others can reach. */
export function limitsFor(isLoopback: boolean, changed: Partial<Limits> = {}): Limits {
  const given = withoutUndefined(changed)
  for (const [name, value] of Object.entries(given)) {
    if (typeof value === 'number' && value > 0) continue
    throw new UserError(
      'data',
      `The server's limit ${name} must be above 0, not ${value}. Change it, or leave it out for the default`,
    )
  }
  return { ...(isLoopback ? LOOPBACK : REMOTE), ...given }
}

/** Counts the requests of each token. */
interface Quota {
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
