import type { ShownRequests } from '../../requests/gateway-feed.ts'
import type { Endpoint } from '../endpoint.ts'
import { eventStreamResponse, type ServerSentEvent } from '../event-stream.ts'
import { z } from 'zod'
import { typed } from '../schemas/described.ts'
import { usage } from '../schemas/recorded-turn.ts'

const request = z
  .object({
    id: z.string(),
    time: z.number().describe('When it came, in milliseconds since 1970.'),
    api: z.string().describe('`chat-completions`, `responses` or `messages`.'),
    client: z.string().optional().describe('What the client calls itself: its User-Agent.'),
    token: z.string().describe('The name of the token.'),
    stream: z.boolean(),
    tools: z.number().describe('How many tools the client offered.'),
    requestedModel: z.string().optional().describe('The model that the client asked for.'),
    usedModel: z.string().optional().describe('The model that was asked.'),
    protocol: z.string().optional().describe('`native` is native function calling.'),
    outcome: z
      .enum(['open', 'answer', 'calls', 'cut_off', 'error', 'aborted'])
      .describe('`open`: it is being answered; `aborted`: the client went away.'),
    error: z.string().optional().describe('The code of the error that the client was sent.'),
    message: z.string().optional().describe('What that error says, without quoting anything.'),
    calls: z.number(),
    callNames: z.array(z.string()).describe('The tools that were called, of the first calls.'),
    repairs: z
      .array(z.object({ name: z.string(), count: z.number() }))
      .describe('How often each repair was needed.'),
    malformed: z.number().describe('How many calls could not be read.'),
    retries: z.number().describe('How often the model was asked again.'),
    usage: usage.optional(),
    firstByte: z
      .number()
      .optional()
      .describe('Until the first piece of the reply, in milliseconds.'),
    duration: z.number().optional().describe('In milliseconds.'),
    notes: z
      .array(z.string())
      .describe('What was left out or changed, such as `dropped:web_search`.'),
  })
  .meta({ id: 'ShownRequest', description: 'A request to the gateway.' })

/** Requests to the gateway. */
const gatewayRequests: z.ZodType<ShownRequests> = typed(
  z
    .object({
      all: z.boolean().describe('These are all that are kept, not only those that changed.'),
      requests: z.array(request),
      today: z
        .object({
          since: z
            .number()
            .describe('When the day began, or the server started: in milliseconds since 1970.'),
          requests: z.number(),
          calls: z.number(),
          repairs: z.number(),
          errors: z.number(),
          inputTokens: z.number(),
          outputTokens: z.number(),
        })
        .describe("What the gateway did today, in the server's time zone."),
    })
    .meta({ id: 'ShownRequests', description: 'Requests to the gateway, the newest first.' }),
)

const PRIVACY =
  'They are only in memory, 200 at most, and contain no prompts, no replies and no arguments.'

/** Lists the gateway's requests. */
export const listGatewayRequests: Endpoint<'GET /api/gateway/requests', object, ShownRequests> = {
  name: 'GET /api/gateway/requests',
  about: 'List the latest requests to the gateway, the newest first, and what it did today.',
  details: PRIVACY,
  answers: { 200: { about: 'The requests, also those that are open.', schema: gatewayRequests } },
  handle: (_, { services: { requests } }) => requests.list(),
}

/** Streams the gateway's requests. */
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
