import type { Model, RequestOptions } from '@toolglot/agent'
import { chatCompletions } from './chat-completions/chat-completions.ts'
import { errorResponse } from './api.ts'
import type { GatewayRoute } from './gateway.ts'
import { GatewayError } from './gateway-error.ts'
import { asGatewayError } from './model-problem.ts'
import { RequestRecord } from './request-record.ts'

/** The models behind a gateway. */
export interface GatewayModels {
  /** The models that clients can name. */
  list(signal: AbortSignal): Promise<readonly ListedModel[]>
  /** The model with this name; undefined if there is none. Names come from clients: they are looked up, never connected to. */
  find(name: string, signal: AbortSignal): Promise<GatewayModel | undefined>
}

/** A model in the list that clients ask for. */
export interface ListedModel {
  /** The value that clients send as `model`. */
  readonly name: string
  /** Who serves it, such as `ollama`. */
  readonly owner: string
}

/** Help for a small model with the tools of a large agent. */
export interface ModelHelp {
  /**
   * How tools are described at most: `whole`, `brief` without long descriptions, or `minimal` with what a call needs. They are
   * more compact where the context demands it. Default: `brief` for a model whose name says that it is small, else `whole`.
   */
  readonly describeTools?: 'whole' | 'brief' | 'minimal'
  /** Whether a reply ends after its first call. Default: false. */
  readonly oneCall?: boolean
  /** How many example calls of the client's tools the conversation begins with. Default: 0. */
  readonly examples?: number
}

/** A model, and how it is asked. */
export interface GatewayModel extends Pick<RequestOptions, 'protocol' | 'toolsIn'>, ModelHelp {
  readonly model: Model
  /** Used where a request says nothing: `temperature`, `topP`, `maxOutputTokens`, `body` … */
  readonly defaults?: Pick<RequestOptions, 'temperature' | 'topP' | 'maxOutputTokens' | 'body'>
  /** Whether arguments are streamed while the model writes them. Default: the gateway's. */
  readonly streamArguments?: boolean
  /**
   * Whether a call that may be an example is sent even if other text is around it: one in a code fence, in another protocol,
   * without marks, in reasoning, or after a result that the model made up. Default: false, so it is text.
   */
  readonly callsInProse?: boolean
  /** Exceptions for some clients, by the name in their User-Agent, such as `claude-cli`. */
  readonly clients?: Readonly<Record<string, ModelHelp>>
}

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
