import type { AnswerEvent } from './answer-event.ts'
import type { Fields } from './expect.ts'
import type { GatewayRequest } from './request.ts'
import type { Parameter } from './parameter.ts'
import type { GatewayError } from './gateway-error.ts'

/** A model API: reads its requests, and writes answers and errors. */
export interface Api {
  /** A short name, such as `chat-completions`. */
  readonly id: string
  readonly path: string
  /** The treatment of each parameter. */
  readonly parameters: readonly Parameter<never>[]
  /** Parses the body of a request by this owner. Throws a GatewayError if it is invalid. */
  read(body: Fields, owner: string): ApiRequest | Promise<ApiRequest>
  /** The endpoint for counting the tokens of a request, if the API has one. */
  readonly count?: {
    readonly path: string
    /** The answer. */
    write(tokens: number): object
  }
  /** The error codes that streaming clients recognize only inside a stream. */
  readonly streamedErrors?: readonly string[]
  /** An error as the body of a response. */
  readonly error: (error: ApiError) => object
}

/** A parsed request and the writers for its answer. */
export interface ApiRequest {
  readonly request: GatewayRequest
  /** Creates the writer of a streamed answer, as text of server-sent events. */
  stream(estimate: InputEstimate): StreamWriter
  /** The answer as one object, built from all of its events. */
  whole(events: readonly AnswerEvent[]): object
}

/**
 * Estimates the number of tokens in a request, for APIs that report it before the model's own count
 * is available.
 */
export type InputEstimate = () => number

/** Writes a streamed answer. */
export interface StreamWriter {
  /** Adjacent events may have been joined. */
  write(event: AnswerEvent): string
  /** The text of an error after the answer began. The stream then ends without a finish reason. */
  error(error: ApiError): string
}

/** An error, independent of the API. */
export interface ApiError {
  readonly status: number
  readonly code: string
  readonly message: string
  readonly parameter?: string | undefined
  readonly overflow?: ContextOverflow | undefined
}

/** The token counts of a request that is too long. */
export interface ContextOverflow {
  /** The approximate size of the request. */
  readonly tokens: number
  /** The size of the model's context window. */
  readonly maximum: number
}

/** An error as a response, in the format of an API. */
export function errorResponse({ error }: Pick<Api, 'error'>, problem: GatewayError): Response {
  const { status, retryAfter } = problem
  const headers = new Headers()
  if (retryAfter !== undefined) headers.set('retry-after', String(Math.ceil(retryAfter / 1000)))
  return Response.json(error(problem), { status, headers })
}
