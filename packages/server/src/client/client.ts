import type { RunEvent } from '@toolglot/agent'
import type { PendingRequest } from '@toolglot/agent/journal'
import type { AnyEndpoint } from '../api/endpoints.ts'
import { errorIn } from './api-error.ts'
import { followApprovals } from './follow-approvals.ts'
import { followGateway } from './follow-gateway.ts'
import { type EventsOptions, followRun } from './follow-run.ts'
import type { RequestAnswer, RequestArguments } from './request-types.ts'
import { type ClientOptions, createSend, type SentRequest } from './send.ts'

/** A client of the API of a server. */
export interface Client {
  /**
   * Asks an endpoint, such as `POST /api/runs`. Returns its answer; undefined if it has none, and the Response if it is not
   * JSON. Throws an ApiError.
   */
  request<Name extends AnyEndpoint['name']>(
    name: Name,
    ...input: RequestArguments<AnyEndpoint, Name>
  ): Promise<RequestAnswer<AnyEndpoint, Name>>
  /**
   * The events of a run, each once and in order, from the start or from where it was left off. It reconnects by itself, also
   * when the server restarts, and ends when the run has. Throws an ApiError if the server refuses.
   *
   * Transient events (`transient: true`) are previews: drop all of them when a recorded event comes, which contains what they
   * showed, and when a transient `run-start` comes, because then another execution begins.
   */
  events(run: string, options?: EventsOptions): AsyncGenerator<RunEvent, void>
  /** Everything that waits for a person, at once and whenever it changes. It reconnects by itself, and never ends. */
  approvals(
    options?: Pick<EventsOptions, 'signal' | 'onConnect' | 'onDisconnect'>,
  ): AsyncGenerator<readonly PendingRequest[], void>
  /** The latest requests to the gateway at once, and then those that change. It reconnects by itself, and never ends. */
  gatewayRequests(
    options?: Pick<EventsOptions, 'signal' | 'onConnect' | 'onDisconnect'>,
  ): AsyncGenerator<RequestAnswer<AnyEndpoint, 'GET /api/gateway/requests'>, void>
}

/** Creates a client. Nothing is sent until something is asked for. */
export function createClient(options: ClientOptions): Client {
  const send = createSend(options)
  const { turn } = options
  const request = async (name: string, input: SentRequest = {}): Promise<unknown> => {
    const response = await send(name, input)
    if (!response.ok) throw await errorIn(response)
    if (response.status === 204) return undefined
    const isJson = response.headers.get('content-type')?.startsWith('application/json')
    return isJson ? await response.json() : response
  }
  return {
    request: request as Client['request'],
    events: (run, following) => followRun(send, run, { ...following, turn }),
    approvals: (following) => followApprovals(send, { ...following, turn }),
    gatewayRequests: (following) => followGateway(send, { ...following, turn }),
  }
}
