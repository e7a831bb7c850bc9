import type { Api } from '../api.ts'
import { invalid } from '../expect.ts'
import { readParameters } from '../parameter.ts'
import { type ChatDraft, chatParameters } from './parameters.ts'
import { type ChatAnswer, chatError, chatStream, wholeChat } from './write.ts'

/** OpenAI's chat completions. */
export const chatCompletions: Api = {
  id: 'chat-completions',
  path: '/v1/chat/completions',
  parameters: chatParameters,
  read(body) {
    const draft: ChatDraft = {
      conversation: [],
      tools: [],
      options: {},
      stream: false,
      includeUsage: false,
      notes: [],
    }
    readParameters(body, chatParameters, draft)
    const { model, conversation, includeUsage, ...others } = draft
    if (model === undefined) throw invalid('model', 'the name of a model', model)
    if (conversation.every(({ role }) => role === 'system'))
      throw invalid('messages', 'a list with a message of the user', body['messages'])
    const answer: ChatAnswer = {
      id: `chatcmpl-${crypto.randomUUID()}`,
      created: Math.floor(Date.now() / 1000),
      model,
      includeUsage,
      custom: new Set(draft.tools.flatMap((tool) => (tool.custom ? [tool.definition.name] : []))),
    }
    return {
      request: { ...others, model, conversation },
      stream: () => chatStream(answer),
      whole: (events) => wholeChat(events, answer),
    }
  },
  error: chatError,
}
