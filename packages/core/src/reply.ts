/** Where something stands in the reply: from, to (exclusive), in UTF-16 units. */
export type Span = readonly [from: number, to: number]

/** How the model's turn ended: by itself, at a stop string, cut by a length limit, or by a broken stream. */
export type Finish = 'stop' | 'stop-string' | 'length' | 'broken'

/**
 * A call, and how far it can be trusted. The parser reads, it never decides: a call with `complete: false` must not
 * run, and one with repairs or any of the trust facts deserves a question before it changes anything.
 */
export interface Call {
  readonly id: string
  readonly name: string
  readonly args: Record<string, unknown>
  /** The id of the protocol whose picture was read. */
  readonly protocol: string
  /** Why the model says it calls, where the protocol has a place for that. */
  readonly reasoning?: string
  /** The whole call was seen. */
  readonly complete: boolean
  /** The liberties taken to read it, by name. */
  readonly repairs: readonly string[]
  /** It stood inside reasoning that never closed. */
  readonly inReasoning?: true
  /** It stood inside a code fence or code span. */
  readonly fenced?: true
  /** It had no marks of its own: bare JSON, a bare function call. */
  readonly markerless?: true
  /** It began inside a block that could not be read. */
  readonly afterMalformed?: true
  /** It follows a tool result that the model made up. */
  readonly afterResult?: true
  readonly raw: string
  readonly span: Span
}

/** A block that began as a call and could not be read as one. */
export interface Malformed {
  readonly raw: string
  readonly problem: Problem
  /** What was expected and what came, in a sentence. */
  readonly hint: string
  /** Where reading stopped. */
  readonly at: number
  readonly span: Span
}

export type Problem =
  | 'ambiguous' // two readings
  | 'cut' // the reply ended before the call had a name
  | 'empty' // marks with nothing between them
  | 'no-name' // a value without a tool's name
  | 'shape' // well-formed, but not what a call looks like
  | 'syntax' // the value cannot be read
  | 'too-deep'
  | 'too-large'
  | 'trailing-text' // something between the value and its closing mark
  | 'unsafe-key' // `__proto__`, `constructor` or `prototype`, and the tool has no such argument

/** What happens while a reply arrives. */
export type Event =
  | { type: 'text'; delta: string; at: number }
  | { type: 'reasoning'; delta: string; at: number }
  | { type: 'call-start'; index: number; id: string; name: string }
  | { type: 'call-delta'; index: number; delta: string }
  | { type: 'call-end'; index: number; call: Call }
  /** With an `index`, it takes back the call announced under it. */
  | ({ type: 'malformed'; index?: number } & Malformed)
  | { type: 'result'; raw: string; span: Span }
  | { type: 'end'; at: number; finish: Finish }

/** A piece of the reply. All segments together are the reply, in order, nothing twice, nothing left out. */
export type Segment =
  | { type: 'text' | 'reasoning' | 'mark'; span: Span }
  | { type: 'call'; span: Span; call: Call }
  | ({ type: 'malformed' } & Malformed)
  | { type: 'result'; span: Span; raw: string }

/** A reply, read. */
export interface Reply {
  /** What a person should see: all text, and what could not be read, to the letter. */
  readonly text: string
  readonly reasoning: string
  readonly calls: readonly Call[]
  readonly segments: readonly Segment[]
}

/** The reply that events tell of. */
export function collectReply(events: Iterable<Event>): Reply {
  const text: string[] = []
  const reasoning: string[] = []
  const calls: Call[] = []
  const segments: Segment[] = []
  let at = 0
  const place = (segment: Segment): void => {
    const [from, to] = segment.span
    if (from > at) segments.push({ type: 'mark', span: [at, from] })
    segments.push(segment)
    at = to
  }
  const run = (
    type: 'text' | 'reasoning',
    { delta, at: from }: { delta: string; at: number },
  ): void => {
    const last = segments.at(-1)
    if (last?.type === type && from === at) {
      at += delta.length
      segments[segments.length - 1] = { type, span: [last.span[0], at] }
    } else place({ type, span: [from, from + delta.length] })
  }
  for (const event of events) {
    switch (event.type) {
      case 'text':
        text.push(event.delta)
        run('text', event)
        break
      case 'reasoning':
        reasoning.push(event.delta)
        run('reasoning', event)
        break
      case 'call-end':
        calls.push(event.call)
        place({ type: 'call', span: event.call.span, call: event.call })
        break
      case 'malformed': {
        const { index: _, ...malformed } = event
        text.push(event.raw)
        place(malformed)
        break
      }
      case 'result':
        text.push(event.raw)
        place(event)
        break
      case 'end':
        if (event.at > at) segments.push({ type: 'mark', span: [at, event.at] })
        break
      case 'call-start':
      case 'call-delta':
        break
    }
  }
  return { text: text.join(''), reasoning: reasoning.join(''), calls, segments }
}
