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

/** A client for a server's API. */
export interface Client {
  /**
   * Sends a request to an endpoint, such as `POST /api/runs`. Returns its answer: undefined if
   * there is no body, or the Response if it isn't JSON. Throws an ApiError.
   */
  request<Name extends AnyEndpoint['name']>(
    name: Name,
    ...input: RequestArguments<AnyEndpoint, Name>
  ): Promise<RequestAnswer<AnyEndpoint, Name>>
  /**
   * The events of a run, each once and in order, from the start or after the last one read.
   * Reconnects automatically, even after a restart of the server, and ends with the run. Throws an
   * ApiError if the server refuses.
   *
   * Transient events (`transient: true`) are previews. Drop all of them when a recorded event
   * arrives, which contains their content, and when a transient `run-start` arrives, which begins
   * another execution.
   */
  events(run: string, options?: EventsOptions): AsyncGenerator<RunEvent, void>
  /**
   * Yields all pending requests: the current list immediately, then a new list after every change.
   * Reconnects automatically, and never ends.
   */
  approvals(
    options?: Pick<EventsOptions, 'signal' | 'onConnect' | 'onDisconnect'>,
  ): AsyncGenerator<readonly PendingRequest[], void>
  /**
   * Yields the latest requests to the gateway immediately, then every change. Reconnects
   * automatically, and never ends.
   */
  gatewayRequests(
    options?: Pick<EventsOptions, 'signal' | 'onConnect' | 'onDisconnect'>,
  ): AsyncGenerator<RequestAnswer<AnyEndpoint, 'GET /api/gateway/requests'>, void>
}

/** Creates a client. Creating it sends no request. */
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

/**
 * Yields all pending requests: the current list immediately, then a new list after every change.
 */
function followApprovals(
  send: Send,
  options: ConnectionOptions & Turns,
): AsyncGenerator<readonly PendingRequest[], void> {
  let last: string | undefined
  return reconnecting({
    ...options,
    connect: (signal) => send('GET /api/approvals/events', { signal }),
    read({ data }) {
      // After an interruption, the server resends the current list.
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

/**
 * Yields the latest requests to the gateway, then every change. After an interruption, all of them
 * are resent.
 */
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
    // The problem is reported below.
  }
  throw new BrokenStream('A message has no requests.')
}
