/** Where something is in the reply: from, to (exclusive), in UTF-16 code units. */
export type Span = readonly [from: number, to: number]

/** How the model's turn ended: the model stopped, a stop string, a length limit, or a broken stream. */
export type Finish = 'stop' | 'stop-string' | 'length' | 'broken'

/**
 * A call, and how far it can be trusted. The parser reads, it never decides: a call with `complete: false` must not run, and one
 * with repairs or any of the optional flags after them deserves a question before it changes anything.
 */
export interface Call {
  readonly id: string
  readonly name: string
  readonly args: Record<string, unknown>
  /** Nothing in a complete call stands for arguments, not even an empty object: `{"name": "ping"}`. */
  readonly argsMissing?: true
  /** The id of the protocol whose picture was read. */
  readonly protocol: string
  /** The model's reason for the call, if the protocol has a place for that. */
  readonly reasoning?: string
  /** The whole call was seen. */
  readonly complete: boolean
  /** The names of the repairs that were needed to read it. */
  readonly repairs: readonly string[]
  /**
   * Where each repair acted, in order, if the option `details` asks for it: at most 1,000 places. Of several calls in one block,
   * the first has them, and the others have none.
   */
  readonly details?: readonly RepairDetail[]
  /** It was inside reasoning that never closed, or that nothing visible follows. */
  readonly inReasoning?: true
  /** It was inside a code fence or code span. */
  readonly fenced?: true
  /** It had no marks of its own: bare JSON, a bare function call. */
  readonly markerless?: true
  /** It began inside a block that could not be read. */
  readonly afterMalformed?: true
  /** It follows a tool result that the model made up. */
  readonly afterResult?: true
  /** It was written in another protocol than the selected one, or in none: a known tool's call that only looks like one. */
  readonly otherProtocol?: true
  /** Its text, exactly as the model wrote it. */
  readonly raw: string
  /** Where it is in the reply. Of several calls in one block, the first has the span. */
  readonly span: Span
}

/** Where a repair acted, and what it did. */
export interface RepairDetail {
  /** The name of the repair, as in `repairs`. */
  readonly name: string
  /** The piece of the reply that was read differently. Empty: something was added there. */
  readonly span: Span
  /** That piece, as the model wrote it. */
  readonly was: string
  /** The text read in its place. The same as `was`: that piece is only unusual. */
  readonly became: string
}

/** A block that began as a call and could not be read as one. */
export interface Malformed {
  readonly raw: string
  readonly problem: Problem
  /** The expectation and the finding, as a sentence. */
  readonly hint: string
  /** Where reading stopped. */
  readonly at: number
  readonly span: Span
}

/** Why a block could not be read as a call. */
export type Problem =
  | 'ambiguous' // it can be read in two ways
  | 'cut' // the reply ended before the call had a name; after `wholeCalls`, before the call ended
  | 'empty' // marks with nothing between them
  | 'no-name' // there is no tool's name, or no valid one
  | 'shape' // well-formed, but not what a call looks like
  | 'syntax' // the value cannot be read
  | 'too-deep'
  | 'too-large'
  | 'trailing-text' // something between the value and its closing mark
  | 'unsafe-key' // `__proto__`, `constructor` or `prototype`, and the tool has no such argument

/** An event while a reply arrives. */
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

/** A piece of the reply. All segments together are the reply, in order: no gaps, no overlaps. */
export type Segment =
  | { type: 'text' | 'reasoning' | 'mark'; span: Span }
  | { type: 'call'; span: Span; call: Call }
  | ({ type: 'malformed' } & Malformed)
  | { type: 'result'; span: Span; raw: string }

/** The parsed reply. */
export interface Reply {
  /** The text for the user: all text, and malformed calls exactly as written. */
  readonly text: string
  readonly reasoning: string
  readonly calls: readonly Call[]
  readonly segments: readonly Segment[]
}

/** Combines the events of a parser into a reply. */
export function collectReply(events: Iterable<Event>): Reply {
  const text: string[] = []
  const reasoning: string[] = []
  const calls: Call[] = []
  const segments: Segment[] = []
  let at = 0
  const mark = (to: number): void => {
    if (to > at) segments.push({ type: 'mark', span: [at, to] })
  }
  const place = (segment: Segment): void => {
    const [from, to] = segment.span
    mark(from)
    segments.push(segment)
    at = to
  }
  const run = ({ type, delta, at: from }: Extract<Event, { type: 'text' | 'reasoning' }>): void => {
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
        run(event)
        break
      case 'reasoning':
        reasoning.push(event.delta)
        run(event)
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
        mark(event.at)
        break
      case 'call-start':
      case 'call-delta':
        break
    }
  }
  return { text: text.join(''), reasoning: reasoning.join(''), calls, segments }
}
