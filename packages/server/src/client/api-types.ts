import type { AnyEndpoint } from '../api/endpoints.ts'
import type { RequestAnswer, RequestInput } from './request-types.ts'

/** The name of an endpoint, such as `POST /api/runs`. */
export type ApiName = AnyEndpoint['name']

/** What an endpoint is asked, by its name: `ApiInput<'POST /api/runs'>`. */
export type ApiInput<Name extends ApiName> = RequestInput<AnyEndpoint, Name>

/** What an endpoint answers, by its name. */
export type ApiAnswer<Name extends ApiName> = RequestAnswer<AnyEndpoint, Name>
