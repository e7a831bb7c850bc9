import type { Api } from './api.ts'
import { chatCompletions } from './chat-completions/chat-completions.ts'
import { messages } from './messages/messages.ts'
import { createResponses } from './responses/responses.ts'
import type { ResponseStore } from './responses/store.ts'
import type { Parameter } from './parameter.ts'

/** The APIs that a gateway speaks. What one of them keeps belongs to that gateway. */
export function createApis(responses?: ResponseStore): readonly Api[] {
  return [chatCompletions, createResponses(responses), messages]
}

/** What becomes of each parameter of an API, by the API's path. */
export const gatewayParameters: ReadonlyMap<
  string,
  readonly Pick<Parameter<never>, 'name' | 'treatment' | 'note'>[]
> = new Map(createApis().map(({ path, parameters }) => [path, parameters]))
