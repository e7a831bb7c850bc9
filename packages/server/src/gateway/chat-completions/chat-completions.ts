import type { Api } from '../api.ts'
import { emptyDraft, requestOf } from '../draft.ts'
import { customNames } from '../offered-tool.ts'
import { openAiError } from '../open-ai-error.ts'
import { readParameters } from '../parameter.ts'
import { type ChatDraft, chatParameters } from './parameters.ts'
import { type ChatAnswer, chatStream, wholeChat } from './write.ts'

/** OpenAI's chat completions. */
export const chatCompletions: Api = {
  id: 'chat-completions',
  path: '/v1/chat/completions',
  parameters: chatParameters,
  read(body) {
    const draft: ChatDraft = { ...emptyDraft(), includeUsage: false }
    readParameters(body, chatParameters, draft)
    const request = requestOf(draft, 'messages')
    const answer: ChatAnswer = {
      id: `chatcmpl-${crypto.randomUUID()}`,
      created: Math.floor(Date.now() / 1000),
      model: request.model,
      includeUsage: draft.includeUsage,
      custom: customNames(draft.tools),
    }
    return {
      request,
      stream: () => chatStream(answer),
      whole: (events) => wholeChat(events, answer),
    }
  },
  error: openAiError,
}
