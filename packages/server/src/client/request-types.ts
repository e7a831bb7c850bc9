import type { Endpoint, PathParameters } from '../api/endpoint.ts'
import type { AnyEndpoint } from '../api/endpoints.ts'

/** An object with the type of an endpoint. */
interface Named {
  readonly name: string
}

type InputOf<Each extends Named, Name extends Each['name']> =
  Extract<Each, { readonly name: Name }> extends Endpoint<infer _, infer Input, infer __>
    ? Input
    : never

type AnswerOf<Each extends Named, Name extends Each['name']> =
  Extract<Each, { readonly name: Name }> extends Endpoint<infer _, infer __, infer Answer>
    ? Answer
    : never

type KeysOf<Value> = Value extends unknown ? keyof Value : never

/** A field that is omitted if it has no keys, and required if one of its keys is required. */
type Field<Key extends string, Value> = [KeysOf<Value>] extends [never]
  ? { readonly [Each in Key]?: never }
  : object extends Value
    ? { readonly [Each in Key]?: Value }
    : { readonly [Each in Key]: Value }

type Part<Input, Key extends string> = Key extends keyof Input
  ? Exclude<Input[Key], undefined>
  : object

/** The input of an endpoint. */
export type RequestInput<Each extends Named, Name extends Each['name']> = Field<
  'parameters',
  PathParameters<Name>
> &
  Field<'query', Part<InputOf<Each, Name>, 'query'>> &
  Field<'body', Part<InputOf<Each, Name>, 'body'>> & { readonly signal?: AbortSignal | undefined }

/** The input as the last argument, which is optional if no field is required. */
export type RequestArguments<Each extends Named, Name extends Each['name']> =
  object extends RequestInput<Each, Name>
    ? [input?: RequestInput<Each, Name>]
    : [input: RequestInput<Each, Name>]

/** The answer of an endpoint. A body that isn't JSON is returned as a Response. */
export type RequestAnswer<Each extends Named, Name extends Each['name']> = AnswerOf<Each, Name>

/** The name of an endpoint, such as `POST /api/runs`. */
export type ApiName = AnyEndpoint['name']

/** The input of an endpoint, by its name: `ApiInput<'POST /api/runs'>`. */
export type ApiInput<Name extends ApiName> = RequestInput<AnyEndpoint, Name>

/** The answer of an endpoint, by its name. */
export type ApiAnswer<Name extends ApiName> = RequestAnswer<AnyEndpoint, Name>
