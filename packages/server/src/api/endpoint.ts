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

/** The segments of a path that `:name` stands for. */
export type PathParameters<Name extends string> = Name extends `${infer Before}/${infer After}`
  ? PathParameters<Before> & PathParameters<After>
  : Name extends `:${infer Parameter}`
    ? { readonly [Key in Parameter]: string }
    : unknown

/** A response of an endpoint: what it means, and its body. */
export interface EndpointAnswer {
  readonly about: string
  /** A JSON body. Without it and without a `type`, there is none. */
  readonly schema?: z.ZodType
  /** The type of a body that is not JSON. */
  readonly type?: 'text/event-stream' | 'application/x-ndjson' | 'text/html; charset=utf-8'
}

/**
 * One endpoint of the API: its schema, and what it does. Everything that arrives has been checked against the schema. What
 * `handle` returns is sent as JSON, with the first status of `answers`; it throws an HttpError, a UserError or a JournalError.
 */
export interface Endpoint<
  Name extends EndpointName = EndpointName,
  Input extends EndpointInput = EndpointInput,
  Answer = unknown,
> {
  readonly name: Name
  /** A line for people. */
  readonly about: string
  /** More about it, as Markdown. */
  readonly details?: string
  readonly query?: z.ZodType<Input['query']>
  readonly body?: z.ZodType<Input['body']>
  /** By status. */
  readonly answers: Readonly<Record<number, EndpointAnswer>>
  /** The maximum size of the body, in bytes. Default: that of the server. */
  readonly maxBody?: number
  handle(
    input: CheckedInput<Name, Input>,
    context: ApiContext,
  ): Answer | Response | Promise<Answer | Response>
}

/** The input of an endpoint, checked. */
export type CheckedInput<Name extends EndpointName, Input extends EndpointInput> = Input & {
  readonly parameters: PathParameters<Name>
}

/** The context of an endpoint's request. */
export interface ApiContext {
  readonly services: ApiServices
  readonly principal: Principal
  readonly headers: Headers
  /** Aborts when the client goes away. */
  readonly signal: AbortSignal
  /** Whether the client may still be answered: a token can be revoked, and a session can end, while a response goes on. */
  readonly isAllowed: () => boolean | Promise<boolean>
}
