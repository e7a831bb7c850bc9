import type { Api } from './api.ts'
import { chatCompletions } from './chat-completions/chat-completions.ts'
import type { Parameter } from './parameter.ts'

/** The APIs that the gateway speaks. */
export const apis: readonly Api[] = [chatCompletions]

/** What becomes of each parameter of an API, by the API's path. */
export const gatewayParameters: ReadonlyMap<
  string,
  readonly Pick<Parameter<never>, 'name' | 'treatment' | 'note'>[]
> = new Map(apis.map(({ path, parameters }) => [path, parameters]))
