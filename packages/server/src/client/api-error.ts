import type { HttpErrorCode, Problem } from '../security/http-error.ts'

/** A problem with an input, and its location. */
export interface InputProblem {
  /** The location of the problem, for example `attachments.0.name` or `the body`. */
  readonly path: string
  readonly problem: string
}

/** An error response of the server. */
export class ApiError extends Error {
  readonly status: number
  /**
   * For programs, such as `run_not_found`; `unexpected_response` if the response isn't from a
   * Toolglot server.
   */
  readonly code: HttpErrorCode | 'unexpected_response'
  /** The problem. */
  readonly detail: string
  /** The advice. */
  readonly action: string | undefined
  /** Problems with the input. */
  readonly problems: readonly InputProblem[]
  /** The whole response body, including any other fields. */
  readonly problem: Readonly<Record<string, unknown>>

  constructor(status: number, problem: Readonly<Record<string, unknown>> & ProblemFields) {
    const { code, detail, action, problems } = problem
    super(action === undefined ? detail : `${detail} ${action}`)
    this.name = 'ApiError'
    this.status = status
    this.code = code
    this.detail = detail
    this.action = action
    this.problems = problems ?? []
    this.problem = problem
  }
}

/** The fields that an ApiError requires. */
interface ProblemFields extends Pick<Problem, 'detail' | 'action'> {
  readonly code: ApiError['code']
  readonly problems?: readonly InputProblem[]
}

/** Reads the error in a response. */
export async function errorIn(response: Response): Promise<ApiError> {
  const { status, headers } = response
  const type = headers.get('content-type') ?? 'no type'
  if (!type.startsWith('application/problem+json')) {
    await response.body?.cancel()
    return new ApiError(status, {
      code: 'unexpected_response',
      detail: `The response is not from a Toolglot server: status ${status} and ${type}.`,
      action: 'Check the URL. A proxy may have answered.',
    })
  }
  return new ApiError(status, (await response.json()) as ProblemFields & Record<string, unknown>)
}
