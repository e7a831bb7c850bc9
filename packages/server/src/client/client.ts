// Folder: The client of the HTTP API; runs anywhere.
import type { RunEvent } from '@toolglot/agent'
import type { PendingRequest } from '@toolglot/agent/journal'
import type { AnyEndpoint } from '../api/endpoints.ts'
import { errorIn } from './api-error.ts'
import { type EventsOptions, followRun } from './follow-run.ts'
import type { RequestAnswer, RequestArguments } from './request-types.ts'
import { type ClientOptions, createSend, type SentRequest, type Send } from './send.ts'
import { BrokenStream } from './read-messages.ts'
import { type ConnectionOptions, reconnecting, type Turns } from './reconnect.ts'
import type { ShownRequests } from '../requests/gateway-feed.ts'

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

/** Yields everything that waits for a person: at once, and whenever it changes. */
function followApprovals(
  send: Send,
  options: ConnectionOptions & Turns,
): AsyncGenerator<readonly PendingRequest[], void> {
  let last: string | undefined
  return reconnecting({
    ...options,
    connect: (signal) => send('GET /api/approvals/events', { signal }),
    read({ data }) {
      // After an interruption the server sends its current list again.
      if (data === last) return undefined
      const value = listIn(data)
      last = data
      return { value }
    },
  })
}

function listIn(data: string): readonly PendingRequest[] {
  let value: unknown
  try {
    value = JSON.parse(data)
  } catch {
    value = undefined
  }
  if (Array.isArray(value)) return value as PendingRequest[]
  throw new BrokenStream('A message is not a list.')
}

/** Yields the latest requests to the gateway, and then those that change. After an interruption it begins with all of them. */
function followGateway(
  send: Send,
  options: ConnectionOptions & Turns,
): AsyncGenerator<ShownRequests, void> {
  return reconnecting({
    ...options,
    connect: (signal) => send('GET /api/gateway/events', { signal }),
    read: ({ data }) => ({ value: requestsIn(data) }),
  })
}

function requestsIn(data: string): ShownRequests {
  try {
    const value = JSON.parse(data) as Partial<ShownRequests> | null
    if (Array.isArray(value?.requests) && value.today) return value as ShownRequests
  } catch {
    // Said below.
  }
  throw new BrokenStream('A message has no requests.')
}
