import type { RunEvent } from '@toolglot/agent'
import { z } from 'zod'
import {
  type EventPosition,
  printPosition,
  readPosition,
  START,
} from '../../../anywhere/event-stream.ts'
import type { IdentifiedEvent } from '../../../runs/run-events.ts'
import { HttpError } from '../../../security/http-error.ts'
import { eventStreamResponse, type ServerSentEvent } from '../../event-stream.ts'
import type { Endpoint } from '../../endpoint.ts'
import { recordedEvents, findTurn } from '../../read-records.ts'
import { typed } from '../../schemas/described.ts'
import { runEvent } from '../../schemas/run-event.ts'
import type { RunOutline } from '../../run-outlines.ts'
import type { RecordedTurn } from '@toolglot/agent/journal'
import { recordedTurn } from '../../schemas/recorded-turn.ts'

/** Selects the events of a run to send. */
interface FollowRun {
  readonly after?: string | undefined
  readonly keepOpen?: boolean | undefined
}

/** Streams the events of a run. */
export const followRun: Endpoint<
  'GET /api/runs/:run/events',
  { readonly query: FollowRun },
  Response
> = {
  name: 'GET /api/runs/:run/events',
  about: 'Follow a run: its events as server-sent events, the recorded ones first.',
  details: [
    'Each message has an `id`, and as `data` a RunEvent in JSON. Recorded events are numbered from 0 without gaps, and their id is their number. Transient events are previews; their id is `SEQ.N.EPOCH`: the number of the recorded event before them, their own number after it, and the execution of the run. A viewer drops them when a recorded event or a transient `run-start` arrives.',
    'A client that reconnects sends the last id it got as `Last-Event-ID` (or `after`), and gets every event after it once and in order, even after a restart of the server. Comments are sent every 15 seconds. A client that does not read is cut off when it is 1 MiB behind; the run continues.',
  ].join('\n\n'),
  query: typed(
    z.strictObject({
      after: z.string().max(100).optional().describe('The id of the last event read.'),
      keepOpen: z
        .enum(['true', 'false'])
        .transform((value) => value === 'true')
        .optional()
        .describe(
          'Keep waiting for events after the run has ended, because it may be resumed. Default: false.',
        ),
    }),
  ),
  answers: {
    200: { about: 'The events.', type: 'text/event-stream', schema: runEvent },
    204: { about: 'The run has ended, and its last event was read.' },
  },
  async handle(
    { parameters: { run }, query: { after, keepOpen = false } },
    { services: { runs, journal, closing }, headers, isAllowed },
  ) {
    const position = positionOf(headers.get('last-event-id') ?? after)
    const found = await runs.find(run)
    const { state, imported } = found
    const stop = new AbortController()
    // An imported run never continues, even if it is unfinished.
    const events = imported
      ? replayed([...recordedEvents(found, await journal.read(run))], position)
      : runs.events(run, { after: position, keepOpen, stop })
    // If a client never starts reading a body, its generator never finishes.
    stop.signal.addEventListener('abort', () => void events.return().catch(() => {}))
    // There will be no more events, but a browser would keep reconnecting.
    const isOver = imported || (state === 'finished' && !keepOpen)
    const first = isOver ? await events.next() : undefined
    if (first?.done) return new Response(null, { status: 204 })
    return eventStreamResponse(messages(events, first?.value), {
      stop,
      closing,
      isAllowed,
      onMore: (listener) => runs.onEvent(run, listener),
      emitted: () => runs.emitted(run),
    })
  },
}

function positionOf(id: string | undefined): EventPosition | undefined {
  // Before its first event, an EventSource sends no id or an empty one.
  if (id === undefined || id === '') return undefined
  const position = readPosition(id)
  if (position) return position
  throw new HttpError('invalid_request', 'The id of an event must be one such as 12.', {
    action: 'Send the last id that this route sent, or none to read from the start.',
  })
}

async function* replayed(
  events: readonly RunEvent[],
  { seq }: EventPosition = START,
): AsyncGenerator<IdentifiedEvent, void> {
  for (const event of events)
    if (event.seq > seq) yield { id: printPosition({ seq: event.seq }), event }
}

async function* messages(
  events: AsyncGenerator<IdentifiedEvent, void>,
  first: IdentifiedEvent | undefined,
): AsyncGenerator<ServerSentEvent, void> {
  if (first) yield { id: first.id, data: first.event }
  for await (const { id, event } of events) yield { id, data: event }
}

const outline: z.ZodType<RunOutline> = typed(
  z
    .object({
      tools: z.array(z.string()).describe('The tools that it called.'),
      models: z.array(z.string()).describe('The models that were used.'),
      protocols: z.array(z.string()).describe('The protocols that were used.'),
      strip: z
        .array(
          z.object({
            kind: z.enum(['text', 'reasoning', 'call', 'malformed', 'made-up', 'waiting']),
            length: z.number().describe('In characters.'),
          }),
        )
        .describe('At most 24 pieces: neighbors are joined if there are more.'),
    })
    .meta({ id: 'RunOutline', description: 'The outline of a run.' }),
)

/** Shows the outline of a run. */
export const showOutline: Endpoint<'GET /api/runs/:run/outline', object, RunOutline> = {
  name: 'GET /api/runs/:run/outline',
  about: 'Summarize a run: a scaled outline of its replies, its tools, models and protocols.',
  answers: {
    200: {
      about: 'The pieces, in order, and the names.',
      schema: outline,
    },
  },
  handle: async ({ parameters: { run } }, { services: { runs, outlines } }) =>
    outlines.of(await runs.find(run)),
}

/** Shows one turn of a run. */
export const showTurn: Endpoint<'GET /api/runs/:run/turns/:turn', object, RecordedTurn> = {
  name: 'GET /api/runs/:run/turns/:turn',
  about: 'Show a turn of a run: the exact prompt and the exact reply.',
  details: 'Turns are counted from 0, including final turns without tools.',
  answers: {
    200: {
      about: 'The turn.',
      schema: recordedTurn,
    },
  },
  async handle({ parameters: { run, turn } }, { services: { runs, journal } }) {
    const found = findTurn(await runs.find(run), await journal.read(run), turn)
    if (typeof found !== 'number') return found
    throw new HttpError('not_found', `The run has ${found} turns, counted from 0.`, {
      action: 'Choose one of them.',
    })
  },
}

/** Selects the recorded events to list. */
interface ReplayRun {
  readonly after?: number | undefined
  readonly limit?: number | undefined
}

/** Lists the recorded events of a run. */
export const replayRun: Endpoint<
  'GET /api/runs/:run/replay',
  { readonly query: ReplayRun },
  readonly RunEvent[]
> = {
  name: 'GET /api/runs/:run/replay',
  about: 'List the recorded events of a run. Nothing is executed.',
  query: typed(
    z.strictObject({
      after: z.coerce
        .number()
        .int()
        .min(-1)
        .optional()
        .describe('Only the events after this number.'),
      limit: z.coerce.number().int().min(1).max(10_000).optional().describe('Default: 1000.'),
    }),
  ),
  answers: { 200: { about: 'The events, in order.', schema: z.array(runEvent) } },
  async handle(
    { parameters: { run }, query: { after = -1, limit = 1000 } },
    { services: { runs, journal } },
  ) {
    const found = await runs.find(run)
    const events: RunEvent[] = []
    for (const event of recordedEvents(found, await journal.read(run))) {
      if (event.seq <= after) continue
      if (events.length === limit) break
      events.push(event)
    }
    return events
  },
}
