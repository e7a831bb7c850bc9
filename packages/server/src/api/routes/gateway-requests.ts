import type { ShownRequests } from '../../requests/gateway-feed.ts'
import type { Endpoint } from '../endpoint.ts'
import { eventStreamResponse, type ServerSentEvent } from '../event-stream.ts'
import { z } from 'zod'
import { typed } from '../schemas/described.ts'
import { usage } from '../schemas/recorded-turn.ts'

const request = z
  .object({
    id: z.string(),
    time: z.number().describe('The time of arrival, in milliseconds since 1970.'),
    api: z.string().describe('`chat-completions`, `responses` or `messages`.'),
    client: z.string().optional().describe('The User-Agent of the client.'),
    token: z.string().describe('The name of the token.'),
    stream: z.boolean(),
    tools: z.number().describe('The number of tools offered by the client.'),
    requestedModel: z.string().optional().describe('The requested model.'),
    usedModel: z.string().optional().describe('The model that was used.'),
    protocol: z.string().optional().describe('`native` is native function calling.'),
    outcome: z
      .enum(['open', 'answer', 'calls', 'cut_off', 'error', 'aborted'])
      .describe('`open`: it is being answered; `aborted`: the client disconnected.'),
    error: z.string().optional().describe('The error code sent to the client.'),
    message: z.string().optional().describe('The error message without quotes.'),
    calls: z.number(),
    callNames: z.array(z.string()).describe('The called tools, for the first calls.'),
    repairs: z
      .array(z.object({ name: z.string(), count: z.number() }))
      .describe('The number of times each repair was needed.'),
    malformed: z.number().describe('The number of malformed calls.'),
    retries: z.number().describe('The number of retries.'),
    usage: usage.optional(),
    firstByte: z
      .number()
      .optional()
      .describe('The time until the first piece of the reply, in milliseconds.'),
    duration: z.number().optional().describe('In milliseconds.'),
    notes: z
      .array(z.string())
      .describe('Codes for omissions and changes, such as `dropped:web_search`.'),
  })
  .meta({ id: 'ShownRequest', description: 'A request to the gateway.' })

/** Requests to the gateway. */
const gatewayRequests: z.ZodType<ShownRequests> = typed(
  z
    .object({
      all: z
        .boolean()
        .describe('True if these are all requests rather than only the changed ones.'),
      requests: z.array(request),
      today: z
        .object({
          since: z
            .number()
            .describe('The start of the day or of the server, in milliseconds since 1970.'),
          requests: z.number(),
          calls: z.number(),
          repairs: z.number(),
          errors: z.number(),
          inputTokens: z.number(),
          outputTokens: z.number(),
        })
        .describe("Today's counts of the gateway, in the server's time zone."),
    })
    .meta({ id: 'ShownRequests', description: 'Requests to the gateway, the newest first.' }),
)

const PRIVACY =
  'They are only in memory, 200 at most, and contain no prompts, no replies and no arguments.'

/** Lists the gateway's requests. */
export const listGatewayRequests: Endpoint<'GET /api/gateway/requests', object, ShownRequests> = {
  name: 'GET /api/gateway/requests',
  about: "List the latest requests to the gateway, the newest first, and today's counts.",
  details: PRIVACY,
  answers: { 200: { about: 'The requests, including open ones.', schema: gatewayRequests } },
  handle: (_, { services: { requests } }) => requests.list(),
}

/** Streams the gateway's requests. */
export const followGatewayRequests: Endpoint<'GET /api/gateway/events', object, Response> = {
  name: 'GET /api/gateway/events',
  about: 'Follow the requests to the gateway, as server-sent events.',
  details: `The first message has all requests (\`all\`); each later one has new and changed requests. ${PRIVACY}`,
  answers: {
    200: {
      about: 'A stream of requests.',
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
