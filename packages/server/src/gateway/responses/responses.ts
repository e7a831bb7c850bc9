import type { Api } from '../api.ts'
import { emptyDraft, requestOf } from '../draft.ts'
import { customNames } from '../offered-tool.ts'
import { openAiError } from '../open-ai-error.ts'
import { readParameters } from '../parameter.ts'
import type { ConversationItem } from '../request.ts'
import { previousNotFound, resolveReferences } from './history.ts'
import { type ResponsesDraft, responsesParameters } from './parameters.ts'
import { createResponseStore, type ResponseStore } from './store.ts'
import { responsesStream, wholeResponse } from './write.ts'
import { echoOf, type ResponseAnswer } from './response-object.ts'

/** OpenAI's Responses. What was answered is kept, within limits, for clients that refer to it. */
export function createResponses(store: ResponseStore = createResponseStore()): Api {
  return {
    id: 'responses',
    path: '/v1/responses',
    parameters: responsesParameters,
    // Codex then shortens the conversation.
    streamedErrors: ['context_length_exceeded'],
    async read(body, owner) {
      const draft: ResponsesDraft = {
        ...emptyDraft(),
        instructions: [],
        input: [],
        namespaces: new Map(),
        isKept: true,
      }
      readParameters(body, responsesParameters, draft)
      const { previous, input, instructions, namespaces } = draft
      const earlier = previous === undefined ? [] : await earlierOf(previous, owner, store)
      const items = await resolveReferences(input, (id) => store.item(owner, id))
      draft.conversation = [...instructions, ...earlier, ...items]
      const request = requestOf(draft, 'input')
      const answer: ResponseAnswer = {
        id: `resp_${crypto.randomUUID().replaceAll('-', '')}`,
        created: Math.floor(Date.now() / 1000),
        echo: echoOf(body),
        custom: customNames(draft.tools),
        namespaces,
        keep: (id, output) =>
          draft.isKept && store.keep(owner, { id, previous, input: items, output }),
      }
      return {
        request,
        stream: () => responsesStream(answer),
        whole: (events) => wholeResponse(events, answer),
      }
    },
    error: openAiError,
  }
}

async function earlierOf(
  id: string,
  owner: string,
  store: ResponseStore,
): Promise<readonly ConversationItem[]> {
  const earlier = await store.conversation(owner, id)
  if (!earlier) throw previousNotFound(id)
  return earlier
}
