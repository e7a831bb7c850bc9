import type { Api } from '../api.ts'
import { requestOf, emptyDraft } from '../draft.ts'
import { readParameters } from '../parameter.ts'
import { type MessagesDraft, messagesParameters } from './parameters.ts'
import { type MessageAnswer, messagesError, messagesStream, wholeMessage } from './write.ts'

/** Anthropic's Messages. */
export const messages: Api = {
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
