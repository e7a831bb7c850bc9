// Folder: Building blocks for adapters: visible text, certain calls, kept replies.
import type { Call, Event, Finish, Segment } from '@toolglot/core'

/** A whole reply, and its parts. */
interface EndedReply {
  /** Everything that the model wrote. */
  readonly content: string
  readonly segments: readonly Segment[]
  readonly finish: Finish
}

/** A call that stays text. With streamed arguments, this revokes the call announced under its index. */
export interface CallAsText {
  readonly type: 'call-as-text'
  readonly index: number
  readonly call: Call
  /** Its text and the marks around it, such as a code fence, verbatim. */
  readonly raw: string
}

/** The calls to pass on. */
interface CertainCallsOptions<Each> {
  /** Returns the reply if the event ends it. */
  readonly endOf: (event: Each) => EndedReply | undefined
  /** Whether to pass on calls with weak trust even if there is other text. Default: false. */
  readonly callsInProse?: boolean | undefined
  /** Whether to pass on repaired calls. Default: true. */
  readonly repairs?: boolean | undefined
}

/**
 * The events of a reply, for a client that runs its calls without approval. A call with weak trust, such as JSON in a
 * code fence, is passed on only if the reply consists of nothing but calls and reasoning, and ended by itself.
 * Otherwise it may be an example, and becomes a `call-as-text`. Only the end of a reply decides that, so the reply is
 * held back from the first such call on, however it is split into chunks.
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

/** The events held back, with calls as text. */
function* released<Each extends { readonly type: string }>(
  held: readonly Each[],
  { content, segments }: EndedReply,
  staysText: (call: Call) => boolean,
): Generator<Each | CallAsText> {
  // Of several calls in one block, the first has the text.
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

  /** The text of a call and the marks around it. Marks between two calls are given once. */
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
 * Whether a reply consists of calls and reasoning, and ended by itself: the rest of a cut-off reply might have been
 * text.
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

/** The properties of a call that make it less certain than a plainly written one. */
export function cautionsOf(call: Call): readonly Caution[] {
  return CAUTIONS.filter((each) => call[each])
}

/** Whether a call may be an example, a quotation or a thought. */
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
