// Folder: Building blocks for adapters: visible text, certain calls, kept replies.
import type { Call, Event, Finish, Segment } from '@toolglot/core'

/** A complete reply and its segments. */
interface EndedReply {
  /** The entire text that the model wrote. */
  readonly content: string
  readonly segments: readonly Segment[]
  readonly finish: Finish
}

/**
 * A call passed on as text. If its arguments were streamed, this revokes the call announced under
 * its index.
 */
export interface CallAsText {
  readonly type: 'call-as-text'
  readonly index: number
  readonly call: Call
  /** The verbatim text of the call, with surrounding marks such as a code fence. */
  readonly raw: string
}

/** Options for `certainCalls`. */
interface CertainCallsOptions<Each> {
  /** Returns the reply if this is its last event, or else undefined. */
  readonly endOf: (event: Each) => EndedReply | undefined
  /** Pass on calls with weak trust even if the reply contains other text. Default: false. */
  readonly callsInProse?: boolean | undefined
  /** Pass on repaired calls. Default: true. */
  readonly repairs?: boolean | undefined
}

/**
 * Yields the events of a reply, for a client that runs calls without approval. A call with weak
 * trust, such as JSON in a code fence, is passed on only if the reply is complete and contains
 * nothing but calls and reasoning. Otherwise it may be an example, so it becomes a `call-as-text`.
 * Since this is known only at the end of the reply, all events from the first such call on are held
 * back, for any chunking of the reply.
 */
export async function* certainCalls<Other extends { readonly type: string } = never>(
  events: AsyncIterable<Event | Other>,
  { endOf, callsInProse = false, repairs = true }: CertainCallsOptions<Event | Other>,
): AsyncGenerator<Event | Other | CallAsText, void> {
  let held: (Event | Other)[] | undefined
  const isRefused = (call: Call): boolean => !repairs && call.repairs.length > 0
  const isUncertain = (call: Call): boolean =>
    isRefused(call) || (!callsInProse && hasWeakTrust(call))
  for await (const event of events) {
    const reply = held && endOf(event)
    if (held && reply) {
      const mayCall = isOnlyCalls(reply)
      yield* released(held, reply, (call) => (mayCall ? isRefused(call) : isUncertain(call)))
      held = undefined
    }
    const call = endedCall(event)
    if (!held && call?.complete && isUncertain(call)) held = []
    if (held) held.push(event)
    else yield event
  }
}

/** The held-back events, with calls converted to text. */
function* released<Each extends { readonly type: string }>(
  held: readonly Each[],
  { content, segments }: EndedReply,
  staysText: (call: Call) => boolean,
): Generator<Each | CallAsText> {
  // If a block contains several calls, the first one carries its text.
  const parts = segments.filter(({ span }) => span[0] < span[1])
  const places = new Map(parts.map(({ span }, at) => [span[0], at]))
  let done = 0
  for (const event of held) {
    const call = endedCall(event)
    if (!call || (call.complete && !staysText(call))) yield event
    else {
      const { index } = event as unknown as Extract<Event, { type: 'call-end' }>
      yield { type: 'call-as-text', index, call, raw: textOf(call) }
    }
  }

  /**
   * The text of a call, with the marks around it. Marks between two calls belong to only one of
   * them.
   */
  function textOf({ span: [from, to], inReasoning }: Call): string {
    const at = from < to && !inReasoning ? places.get(from) : undefined
    const markAt = (place: number): Segment | undefined =>
      parts[place]?.type === 'mark' ? parts[place] : undefined
    const before = at === undefined ? undefined : markAt(at - 1)
    const after = at === undefined ? undefined : markAt(at + 1)
    const start = Math.max(before?.span[0] ?? from, done)
    done = Math.max(after?.span[1] ?? to, done)
    return content.slice(start, done)
  }
}

/**
 * True if a reply consists only of calls and reasoning and is complete. If a reply was cut off, the
 * missing rest might have been text.
 */
function isOnlyCalls({ content, segments, finish }: EndedReply): boolean {
  if (finish !== 'stop' && finish !== 'stop-string') return false
  return segments.every((segment) => {
    if (segment.type === 'call') return segment.call.complete
    if (segment.type === 'text') return content.slice(...segment.span).trim() === ''
    return segment.type === 'reasoning' || segment.type === 'mark'
  })
}

function endedCall(event: { readonly type: string }): Call | undefined {
  return event.type === 'call-end'
    ? (event as Extract<Event, { type: 'call-end' }>).call
    : undefined
}

type Caution = (typeof CAUTIONS)[number]

/** The reasons to trust a call less than a plainly written one. */
export function cautionsOf(call: Call): readonly Caution[] {
  return CAUTIONS.filter((each) => call[each])
}

/** True if a call may be an example, a quotation or part of the model's reasoning. */
export function hasWeakTrust(call: Call): boolean {
  return cautionsOf(call).some((each) => each !== 'afterMalformed')
}

const CAUTIONS = [
  'inReasoning',
  'fenced',
  'markerless',
  'afterMalformed',
  'afterResult',
  'otherProtocol',
] as const
