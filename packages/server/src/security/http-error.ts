import { BODY_STATUSES } from '../gateway/body-problem.ts'
import type { RouteError } from '../route.ts'

const OWN_STATUSES = {
  body_timeout: 408,
  cross_site: 403,
  csrf: 403,
  headers_too_large: 431,
  host_not_allowed: 403,
  internal_error: 500,
  invalid_request: 400,
  invalid_target: 400,
  login_failed: 401,
  method_not_allowed: 405,
  method_not_implemented: 501,
  not_found: 404,
  origin_not_allowed: 403,
  rate_limited: 429,
  request_timeout: 408,
  scope_insufficient: 403,
  several_tokens: 400,
  starting: 503,
  unauthorized: 401,
  url_too_long: 414,
} as const

/** Every error of the server itself, and its status. The gateway has further ones. */
export const STATUSES: typeof OWN_STATUSES & typeof BODY_STATUSES = {
  ...OWN_STATUSES,
  ...BODY_STATUSES,
}

/** The code of an error of the server itself. */
export type HttpErrorCode = keyof typeof STATUSES

/** Why a request is refused. What it says is sent to the client. */
export class HttpError extends Error implements RouteError {
  readonly status: number
  readonly code: HttpErrorCode
  /** Further headers of the response, such as `retry-after`. */
  readonly headers: Readonly<Record<string, string>>

  constructor(
    code: HttpErrorCode,
    message: string,
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(message)
    this.name = 'HttpError'
    this.status = STATUSES[code]
    this.code = code
    this.headers = headers
  }
}
