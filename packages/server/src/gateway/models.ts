import type { Model, RequestOptions } from '@toolglot/agent'
import { chatCompletions } from './chat-completions/chat-completions.ts'
import { errorResponse } from './api.ts'
import type { GatewayRoute } from './gateway.ts'
import { GatewayError } from './gateway-error.ts'
import { asGatewayError } from './model-problem.ts'
import { RequestRecord } from './request-record.ts'

/** The models of a gateway. */
export interface GatewayModels {
  /** The models that clients can use. */
  list(signal: AbortSignal): Promise<readonly ListedModel[]>
  /**
   * The model with this name, or undefined. Names come from clients: they are looked up, and never
   * used as addresses.
   */
  find(name: string, signal: AbortSignal): Promise<GatewayModel | undefined>
}

/** A model in the list for clients. */
export interface ListedModel {
  /** The value that clients send as `model`. */
  readonly name: string
  /** The provider, such as `ollama`. */
  readonly owner: string
}

/** Adjustments that help a small model with the tools of a large agent. */
export interface ModelHelp {
  /**
   * The maximum detail of tool descriptions: `whole`, `brief` without long descriptions, or
   * `minimal` with only the essentials of a call. Descriptions are shortened further if the context
   * requires it. Default: `brief` for a model whose name indicates a small size, else `whole`.
   */
  readonly describeTools?: 'whole' | 'brief' | 'minimal'
  /** Ends a reply after its first call. Default: false. */
  readonly oneCall?: boolean
  /** The number of example calls at the start of the conversation. Default: 0. */
  readonly examples?: number
}

/** A model, and the options for its requests. */
export interface GatewayModel extends Pick<RequestOptions, 'protocol' | 'toolsIn'>, ModelHelp {
  readonly model: Model
  /**
   * Used for parameters that are missing in a request: `temperature`, `topP`, `maxOutputTokens`,
   * `body` …
   */
  readonly defaults?: Pick<RequestOptions, 'temperature' | 'topP' | 'maxOutputTokens' | 'body'>
  /** Streams arguments while the model writes them. Default: the gateway's setting. */
  readonly streamArguments?: boolean
  /**
   * Sends a call that may be an example even if it is surrounded by other text: one in a code
   * fence, in another protocol, without marks, in reasoning, or after a forged result. Default:
   * false, so it remains text.
   */
  readonly callsInProse?: boolean
  /** Different settings for some clients, by the name in their User-Agent, such as `claude-cli`. */
  readonly clients?: Readonly<Record<string, ModelHelp>>
}

const PATH = '/v1/models'

/** The routes that list all models, or show one by its name. */
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
      // Clients can use some names that are not listed.
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

/** The error for an unknown model. */
export function unknownModel(name: string): GatewayError {
  const shown = JSON.stringify(name.slice(0, 100))
  return new GatewayError(
    404,
    'model_not_found',
    `Unknown model ${shown}. GET /v1/models lists the models; settings can add names.`,
    { parameter: 'model', summary: 'Unknown model.' },
  )
}

function modelObject({ name, owner }: ListedModel): object {
  return { id: name, object: 'model', created: 0, owned_by: owner }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    // The text is not an encoded name.
    return text
  }
}
