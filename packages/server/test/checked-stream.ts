type Fields = Readonly<Record<string, unknown>>

/** The content of a streamed answer, and its problems. */
export interface CheckedStream {
  /** The broken rules, in order. */
  readonly problems: readonly string[]
  readonly text: string
  readonly reasoning: string
  readonly calls: readonly StreamedCall[]
  readonly finish: string | undefined
  readonly usage: Readonly<Record<string, unknown>> | undefined
  readonly error: Readonly<Record<string, unknown>> | undefined
}

/** A call, assembled from its deltas. */
export interface StreamedCall {
  readonly id: string
  readonly name: string
  readonly arguments: string
}

/**
 * The events of a stream, and the state of the check. `usedIds`: the ids of the calls in the
 * conversation so far.
 */
export function startCheck(
  sse: string,
  { usedIds = [] }: { readonly usedIds?: Iterable<string> } = {},
) {
  const problems: string[] = []
  const problem = (what: string): void => void problems.push(what)
  return {
    events: eventsOf(sse, problem),
    problems,
    problem,
    ids: new Set(usedIds),
    calls: [] as { id: string; name: string; arguments: string }[],
    texts: { text: '', reasoning: '' },
  }
}

/** The events of a stream, with their names. Comments keep a connection alive. */
function eventsOf(
  sse: string,
  problem: (what: string) => void,
): readonly { readonly name: string; readonly data: Fields }[] {
  if (!sse.endsWith('\n\n')) problem('the last event is not ended by an empty line')
  return sse.split('\n\n').flatMap((event) => {
    const lines = event.split('\n').filter((line) => line !== '' && !line.startsWith(':'))
    if (lines.length === 0) return []
    const [first = '', second = ''] = lines
    const data = parsed(second.slice('data: '.length))
    if (lines.length === 2 && first.startsWith('event: ') && second.startsWith('data: ') && data)
      return [{ name: first.slice('event: '.length), data }]
    problem(`an event has not a name and JSON: ${event.slice(0, 80)}`)
    return []
  })
}

export function parsed(text: string): Fields | undefined {
  try {
    return asFields(JSON.parse(text))
  } catch {
    // The data is not JSON.
    return undefined
  }
}

export function asFields(value: unknown): Fields | undefined {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject ? (value as Fields) : undefined
}

export function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}
