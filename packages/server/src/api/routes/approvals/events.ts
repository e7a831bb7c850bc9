import { z } from 'zod'
import { eventStreamResponse, type ServerSentEvent } from '../../event-stream.ts'
import type { Endpoint } from '../../endpoint.ts'
import { pendingRequest } from '../../schemas/pending-request.ts'

/** Sends what waits for a person. */
export const followApprovals: Endpoint<'GET /api/approvals/events', object, Response> = {
  name: 'GET /api/approvals/events',
  about: 'Follow what waits for a person, as server-sent events.',
  details:
    'Each message has the whole list as `data`: once at the start, and whenever it changes. While somebody reads it, and for 30 seconds after that, POST /api/tools/execute waits for approval instead of denying.',
  answers: {
    200: {
      about: 'The list, again and again.',
      type: 'text/event-stream',
      schema: z.array(pendingRequest),
    },
  },
  handle(_, { services: { approvals, closing }, isAllowed }) {
    const stop = new AbortController()
    return eventStreamResponse(messages(), { stop, closing, isAllowed })

    async function* messages(): AsyncGenerator<ServerSentEvent, void> {
      for await (const data of approvals.follow(stop.signal)) yield { data }
    }
  },
}
