/** A range of the reply: from, to (exclusive), in UTF-16 code units. */
export type Span = readonly [from: number, to: number]

/**
 * The ending of the model's turn: the model stopped, a stop string, a length limit, or a broken
 * stream.
 */
export type Finish = 'stop' | 'stop-string' | 'length' | 'broken'

/**
 * A call, and how far it can be trusted. The parser reads and never decides: do not run a call with
 * `complete: false`. If a call has repairs or any of the optional flags below, ask before it
 * changes anything.
 */
export interface Call {
  readonly id: string
  readonly name: string
  readonly args: Record<string, unknown>
  /** True if a complete call has no arguments, not even an empty object: `{"name": "ping"}`. */
  readonly argsMissing?: true
  /** The id of the protocol whose picture was read. */
  readonly protocol: string
  /** The model's reason for the call, if the protocol has a place for it. */
  readonly reasoning?: string
  /** True if the whole call was read. */
  readonly complete: boolean
  /** The names of the repairs that were needed to read it. */
  readonly repairs: readonly string[]
  /**
   * The places where repairs acted, in order, if the option `details` is set. At most 1,000. If a
   * block has several calls, the first one has all of them.
   */
  readonly details?: readonly RepairDetail[]
  /** The call was inside reasoning that never closed or that no visible text follows. */
  readonly inReasoning?: true
  /** The call was inside a code fence or code span. */
  readonly fenced?: true
  /** The call had no marks of its own: bare JSON or a bare function call. */
  readonly markerless?: true
  /** The call began inside a block that could not be read. */
  readonly afterMalformed?: true
  /** The call follows a tool result that the model made up. */
  readonly afterResult?: true
  /**
   * The call was not in a selected protocol: it is a known tool's call in another protocol or in
   * none.
   */
  readonly otherProtocol?: true
  /** The call's text, exactly as the model wrote it. */
  readonly raw: string
  /** The call's place in the reply. If a block has several calls, the first one has the span. */
  readonly span: Span
}

/** The place and effect of one repair. */
export interface RepairDetail {
  /** The name of the repair, as in `repairs`. */
  readonly name: string
  /** The piece of the reply that was read differently. Empty if the repair added text. */
  readonly span: Span
  /** The original text of that piece. */
  readonly was: string
  /** The text read in its place. Equal to `was` if that piece is only unusual. */
  readonly became: string
}

/** A block that began like a call but could not be read as one. */
export interface Malformed {
  readonly raw: string
  readonly problem: Problem
  /** The expected and the actual text, as a sentence. */
  readonly hint: string
  /** The place where reading stopped. */
  readonly at: number
  readonly span: Span
}

/** The reason why a block could not be read as a call. */
export type Problem =
  | 'ambiguous' // it can be read in two ways
  | 'cut' // the reply ended before the call's name; in `wholeCalls`, before the call's end
  | 'empty' // marks with nothing between them
  | 'no-name' // no tool name, or an invalid one
  | 'shape' // well-formed, but not in the form of a call
  | 'syntax' // the value cannot be read
  | 'too-deep'
  | 'too-large'
  | 'trailing-text' // text between the value and its closing mark
  | 'unsafe-key' // `__proto__`, `constructor` or `prototype`, unless the tool has such an argument

/** An event while a reply arrives. */
export type Event =
  | { type: 'text'; delta: string; at: number }
  | { type: 'reasoning'; delta: string; at: number }
  | { type: 'call-start'; index: number; id: string; name: string }
  | { type: 'call-delta'; index: number; delta: string }
  | { type: 'call-end'; index: number; call: Call }
  /** An `index` takes back the call that was announced with it. */
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
