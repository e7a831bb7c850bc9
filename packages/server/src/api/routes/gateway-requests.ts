import type { ShownRequests } from '../../requests/gateway-feed.ts'
import type { Endpoint } from '../endpoint.ts'
import { eventStreamResponse, type ServerSentEvent } from '../event-stream.ts'
import { gatewayRequests } from '../schemas/gateway-requests.ts'

const PRIVACY =
  'They are only in memory, 200 at most, and contain no prompts, no replies and no arguments.'

/** Lists what the gateway was asked. */
export const listGatewayRequests: Endpoint<'GET /api/gateway/requests', object, ShownRequests> = {
  name: 'GET /api/gateway/requests',
  about: 'List the latest requests to the gateway, the newest first, and what it did today.',
  details: PRIVACY,
  answers: { 200: { about: 'The requests, also those that are open.', schema: gatewayRequests } },
  handle: (_, { services: { requests } }) => requests.list(),
}

/** Sends what the gateway is asked. */
export const followGatewayRequests: Endpoint<'GET /api/gateway/events', object, Response> = {
  name: 'GET /api/gateway/events',
  about: 'Follow the requests to the gateway, as server-sent events.',
  details: `The first message has all requests that are kept (\`all\`); each one after it has those that came or changed. ${PRIVACY}`,
  answers: {
    200: {
      about: 'Requests, again and again.',
      type: 'text/event-stream',
      schema: gatewayRequests,
    },
  },
  handle(_, { services: { requests, closing }, isAllowed }) {
    const stop = new AbortController()
    return eventStreamResponse(messages(), { stop, closing, isAllowed })

    async function* messages(): AsyncGenerator<ServerSentEvent, void> {
      for await (const data of requests.follow(stop.signal)) yield { data }
    }
  },
}
