import type { z } from 'zod'
import type { Principal, RouteMethod } from '../route.ts'
import type { ApiServices } from './services.ts'

/** The method and the path of an endpoint, such as `POST /api/runs/:run/approve`. */
export type EndpointName = `${RouteMethod} /api/${string}`

/** The input of an endpoint, besides the parameters in its path. */
export interface EndpointInput {
  readonly query?: object
  readonly body?: object
}

/** The names of the `:name` segments in a path. */
export type PathParameters<Name extends string> = Name extends `${infer Before}/${infer After}`
  ? PathParameters<Before> & PathParameters<After>
  : Name extends `:${infer Parameter}`
    ? { readonly [Key in Parameter]: string }
    : unknown

/** A response of an endpoint: its description and its body. */
export interface EndpointAnswer {
  readonly about: string
  /** The schema of a JSON body. Without a schema and a `type`, there is no body. */
  readonly schema?: z.ZodType
  /** The type of a body that is not JSON. */
  readonly type?: 'text/event-stream' | 'application/x-ndjson' | 'text/html; charset=utf-8'
}

/**
 * One endpoint of the API. Input is checked against the schema before `handle` is called. The value
 * returned by `handle` is sent as JSON, with the first status in `answers`. `handle` may throw an
 * HttpError, a UserError or a JournalError.
 */
export interface Endpoint<
  Name extends EndpointName = EndpointName,
  Input extends EndpointInput = EndpointInput,
  Answer = unknown,
> {
  readonly name: Name
  /** A one-line summary. */
  readonly about: string
  /** More details, as Markdown. */
  readonly details?: string
  readonly query?: z.ZodType<Input['query']>
  readonly body?: z.ZodType<Input['body']>
  /** The possible responses, by status. */
  readonly answers: Readonly<Record<number, EndpointAnswer>>
  /** The maximum size of the body, in bytes. Default: the server's limit. */
  readonly maxBody?: number
  handle(
    input: CheckedInput<Name, Input>,
    context: ApiContext,
  ): Answer | Response | Promise<Answer | Response>
}

/** The checked input of an endpoint. */
export type CheckedInput<Name extends EndpointName, Input extends EndpointInput> = Input & {
  readonly parameters: PathParameters<Name>
}

/** The context of a request to an endpoint. */
export interface ApiContext {
  readonly services: ApiServices
  readonly principal: Principal
  readonly headers: Headers
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal
  /**
   * True while the client may receive data: during a response its token can be revoked, or its
   * session can end.
   */
  readonly isAllowed: () => boolean | Promise<boolean>
}
