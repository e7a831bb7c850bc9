import type { Api } from './api.ts'
import { chatCompletions } from './chat-completions/chat-completions.ts'
import { createResponses } from './responses/responses.ts'
import type { ResponseStore } from './responses/history.ts'
import { type Parameter, readParameters, requestOf, emptyDraft } from './parameter.ts'
import { type MessagesDraft, messagesParameters } from './messages/parameters.ts'
import {
  type MessageAnswer,
  messagesError,
  messagesStream,
  wholeMessage,
} from './messages/write.ts'

/** Anthropic's Messages. */
const messages: Api = {
  id: 'messages',
  path: '/v1/messages',
  parameters: messagesParameters,
  read(body) {
    const draft: MessagesDraft = { ...emptyDraft(), system: [], showsThinking: false }
    readParameters(body, messagesParameters, draft)
    draft.conversation = [...draft.system, ...draft.conversation]
    const request = requestOf(draft, 'messages')
    const answer: MessageAnswer = {
      id: `msg_${crypto.randomUUID().replaceAll('-', '')}`,
      model: request.model,
      showsThinking: draft.showsThinking,
    }
    return {
      request,
      stream: (estimate) => messagesStream(answer, estimate),
      whole: (events) => wholeMessage(events, answer),
    }
  },
  count: {
    path: '/v1/messages/count_tokens',
    write: (tokens) => ({ input_tokens: tokens }),
  },
  error: messagesError,
}

/** The APIs of a gateway, including the stored responses. */
export function createApis(responses?: ResponseStore): readonly Api[] {
  return [chatCompletions, createResponses(responses), messages]
}

/** The treatment of each parameter of an API, by the API's path. */
export const gatewayParameters: ReadonlyMap<
  string,
  readonly Pick<Parameter<never>, 'name' | 'treatment' | 'note'>[]
> = new Map(createApis().map(({ path, parameters }) => [path, parameters]))
