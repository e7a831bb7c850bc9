import { chatCompletions } from './chat-completions/chat-completions.ts'
import { errorResponse } from './error-response.ts'
import type { GatewayRoute } from './gateway.ts'
import { GatewayError } from './gateway-error.ts'
import { asGatewayError } from './model-problem.ts'
import type { GatewayModels, ListedModel } from './models.ts'
import { RequestRecord } from './request-record.ts'

const PATH = '/v1/models'

/** The routes that list the models: all of them, and one by its name. */
export function modelRoutes(models: GatewayModels): readonly GatewayRoute[] {
  return [
    route(PATH, async ({ signal }) => {
      const list = await models.list(signal)
      return { object: 'list', data: list.map(modelObject) }
    }),
    route(`${PATH}/*`, async (request) => {
      const { pathname } = new URL(request.url)
      const name = decoded(pathname.slice(PATH.length + 1))
      const found = (await models.list(request.signal)).find((each) => each.name === name)
      if (found) return modelObject(found)
      // Not every name that clients can use is listed.
      if (!(await models.find(name, request.signal))) throw unknownModel(name)
      return modelObject({ name, owner: 'toolglot' })
    }),
  ]
}

function route(path: string, answer: (request: Request) => Promise<object>): GatewayRoute {
  return {
    method: 'GET',
    path,
    error: chatCompletions.error,
    async handle(request, client) {
      try {
        return Response.json(await answer(request))
      } catch (error) {
        const problem = asGatewayError(error)
        new RequestRecord({ id: 'models', path }, client).fail(problem, request.signal.aborted)
        return errorResponse(chatCompletions, problem)
      }
    },
  }
}

/** The error for a model that is not there. */
export function unknownModel(name: string): GatewayError {
  const shown = JSON.stringify(name.slice(0, 100))
  return new GatewayError(
    404,
    'model_not_found',
    `There is no model ${shown}. GET /v1/models lists the models; settings can add names.`,
    { parameter: 'model', summary: 'There is no model with this name.' },
  )
}

function modelObject({ name, owner }: ListedModel): object {
  return { id: name, object: 'model', created: 0, owned_by: owner }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    // Not an encoded name.
    return text
  }
}
