import { BODY_STATUSES } from '../gateway/read-json.ts'
import type { RouteError } from '../route.ts'

const OWN_STATUSES = {
  approval_unavailable: 403,
  body_timeout: 408,
  cross_site: 403,
  csrf: 403,
  folder_not_found: 404,
  headers_too_large: 431,
  host_not_allowed: 403,
  internal_error: 500,
  invalid_file: 422,
  invalid_json: 400,
  invalid_request: 400,
  invalid_target: 400,
  login_failed: 401,
  method_not_allowed: 405,
  method_not_implemented: 501,
  model_unavailable: 503,
  not_found: 404,
  not_pending: 409,
  origin_not_allowed: 403,
  rate_limited: 429,
  request_timeout: 408,
  run_busy: 409,
  run_changed: 409,
  run_ended: 409,
  run_exists: 409,
  run_imported: 409,
  run_not_found: 404,
  scope_insufficient: 403,
  settings_changed: 409,
  settings_invalid: 409,
  several_tokens: 400,
  starting: 503,
  stopping: 503,
  storage_failed: 503,
  tool_disabled: 403,
  unauthorized: 401,
  unprocessable: 422,
  url_too_long: 414,
  wrong_folder: 409,
} as const

/** All errors of the server itself, with their statuses. The gateway has its own. */
export const STATUSES: typeof OWN_STATUSES & typeof BODY_STATUSES = {
  ...OWN_STATUSES,
  ...BODY_STATUSES,
}

/** The code of an error of the server itself. */
export type HttpErrorCode = keyof typeof STATUSES

/** Additional data of an error. */
export interface HttpErrorOptions {
  /** Additional headers of the response, such as `retry-after`. */
  readonly headers?: Readonly<Record<string, string>>
  /** The advice, as a sentence. */
  readonly action?: string
  /** Additional members of the problem, for programs. */
  readonly members?: Readonly<Record<string, unknown>>
}

/** The reason why a request is refused. Its message is sent to the client. */
export class HttpError extends Error implements RouteError {
  readonly status: number
  readonly code: HttpErrorCode
  readonly headers: Readonly<Record<string, string>>
  readonly action: string | undefined
  readonly members: Readonly<Record<string, unknown>>

  constructor(
    code: HttpErrorCode,
    message: string,
    { headers = {}, action, members = {} }: HttpErrorOptions = {},
  ) {
    super(message)
    this.name = 'HttpError'
    this.status = STATUSES[code]
    this.code = code
    this.headers = headers
    this.action = action
    this.members = members
  }
}

/** An error as problem details (RFC 9457). */
export interface Problem {
  readonly type: string
  readonly title: string
  readonly status: number
  /** The code for programs, such as `run_not_found`. */
  readonly code: string
  /** The problem. */
  readonly detail: string
  /** The advice. */
  readonly action?: string
}

/** Writes an error as problem details. */
export function problemOf({ status, code, message, action, members }: RouteError): Problem {
  const words = code.replaceAll('_', ' ')
  return {
    ...members,
    type: `urn:toolglot:problem:${code}`,
    title: words.charAt(0).toUpperCase() + words.slice(1),
    status,
    code,
    detail: message,
    ...(action !== undefined && { action }),
  }
}

/** The content type of problem details. */
export const PROBLEM_TYPE = 'application/problem+json'
