import type { Cut } from '../connection.ts'
import type { GatewayReport } from '../gateway/report.ts'

/** One request and its response, once it has ended: for logs and metrics. It contains no secret and nothing a model wrote. */
export interface AccessEntry {
  /** When it began, in milliseconds since 1970. */
  readonly time: number
  readonly method: string
  /** The path of the route; `other` if there is none, because a path may contain anything. */
  readonly route: string
  /** The path of a request with a valid token, if it is not just that of the route: cut, and without secrets. */
  readonly path?: string
  readonly status: number
  /** Until the end of the response, in milliseconds. */
  readonly duration: number
  /** The size of the response body, in bytes. */
  readonly bytes: number
  /** The name of the token, if it was valid. */
  readonly token?: string
  /** The response did not reach its end: the client went away, unless `cut` says otherwise. */
  readonly aborted?: true
  /** Why the server itself cut the response: it stopped, the client took nothing for too long, or the response failed. */
  readonly cut?: Cut
  /** The code of the error that the client was sent. */
  readonly error?: string
  /** What the gateway did. */
  readonly gateway?: GatewayReport
}

/** Called with each request that has ended. */
export type Observe = (entry: AccessEntry) => void
