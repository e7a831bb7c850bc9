import type { AnswerEvent } from './answer-event.ts'
import type { Fields } from './expect.ts'
import type { GatewayRequest } from './request.ts'
import type { Parameter } from './parameter.ts'
import type { GatewayError } from './gateway-error.ts'

/** One API of language models, as clients speak it: how its requests are read, and how answers and errors are written. */
export interface Api {
  /** A short name, such as `chat-completions`. */
  readonly id: string
  readonly path: string
  /** The treatment of each parameter. */
  readonly parameters: readonly Parameter<never>[]
  /** Reads the body of a request of this owner. Throws a GatewayError if it is invalid. */
  read(body: Fields, owner: string): ApiRequest | Promise<ApiRequest>
  /** Where clients ask how many tokens a request has, if they can. */
  readonly count?: {
    readonly path: string
    /** The answer. */
    write(tokens: number): object
  }
  /** The codes of errors that clients who asked for a stream recognize only in a stream. */
  readonly streamedErrors?: readonly string[]
  /** An error as the body of a response. */
  readonly error: (error: ApiError) => object
}

/** A request that was read, and what writes its answer. */
export interface ApiRequest {
  readonly request: GatewayRequest
  /** Creates the writer of a streamed answer: the text of server-sent events. */
  stream(estimate: InputEstimate): StreamWriter
  /** The answer as one object, from all of its events. */
  whole(events: readonly AnswerEvent[]): object
}

/** About how many tokens a request has: for APIs whose clients are told before the model has said so. */
export type InputEstimate = () => number

/** Writes a streamed answer. */
export interface StreamWriter {
  /** Events with the same meaning may have been joined. */
  write(event: AnswerEvent): string
  /** The text of an error after the answer began: the stream ends without a finish. */
  error(error: ApiError): string
}

/** An error, before it is written in the shape of an API. */
export interface ApiError {
  readonly status: number
  readonly code: string
  readonly message: string
  readonly parameter?: string | undefined
  readonly overflow?: ContextOverflow | undefined
}

/** A request that is too long, in tokens. */
export interface ContextOverflow {
  /** About how many it has. */
  readonly tokens: number
  /** How many fit into the context window of the model. */
  readonly maximum: number
}

/** An error as a response, in the shape of an API. */
export function errorResponse({ error }: Pick<Api, 'error'>, problem: GatewayError): Response {
  const { status, retryAfter } = problem
  const headers = new Headers()
  if (retryAfter !== undefined) headers.set('retry-after', String(Math.ceil(retryAfter / 1000)))
  return Response.json(error(problem), { status, headers })
}
