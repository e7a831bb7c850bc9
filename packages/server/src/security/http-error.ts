import type { RouteError } from '../route.ts'

/** Why a request is refused. What it says is sent to the client. */
export class HttpError extends Error implements RouteError {
  readonly status: number
  readonly code: string
  /** Further headers of the response, such as `retry-after`. */
  readonly headers: Readonly<Record<string, string>>

  constructor(
    status: number,
    code: string,
    message: string,
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(message)
    this.name = 'HttpError'
    this.status = status
    this.code = code
    this.headers = headers
  }
}
