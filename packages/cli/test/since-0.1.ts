/** An event as JSON. */
export type PrintedEvent = Readonly<Record<string, unknown>> & { readonly type: string }

/**
 * A value without the fields that were added to its objects, so that it can be compared with what version 0.1 printed.
 * Nothing else may differ: a field that is missing or renamed stays missing, and a list keeps its length.
 */
export function withoutAdditions(value: unknown, before: unknown): unknown {
  if (Array.isArray(value) && Array.isArray(before))
    return value.map((each, at) => withoutAdditions(each, before[at]))
  if (!isObject(value) || !isObject(before)) return value
  const kept = Object.entries(value).filter(([key]) => Object.hasOwn(before, key))
  return Object.fromEntries(kept.map(([key, each]) => [key, withoutAdditions(each, before[key])]))
}

/** Events without those of types that were added since version 0.1. Programs have to ignore types that they do not know. */
export function withoutNewTypes(events: readonly PrintedEvent[]): readonly PrintedEvent[] {
  return events.filter(({ type }) => !NEW_TYPES.has(type))
}

const NEW_TYPES: ReadonlySet<string> = new Set(['duplicate', 'prompt-changed'])

/**
 * The events that version 0.1 printed, with the changes that were made on purpose since then:
 *
 * - `tool-start` comes after the approval, because a tool that waits has not begun; and only for a tool that began, not for
 *   a call that was denied or whose tool does not exist.
 */
export function liveEventsSince01(events: readonly PrintedEvent[]): readonly PrintedEvent[] {
  const startOf = (call: unknown): PrintedEvent =>
    events.find((event) => event.type === 'tool-start' && event['call'] === call)!
  const approvedIn = ({ approval }: PrintedEvent): string | undefined =>
    (approval as { readonly call: string } | undefined)?.call
  const asked = new Set(events.map(approvedIn).filter((call) => call !== undefined))
  const begun = new Set(events.filter(hasRun).map(({ call }) => call))
  return events.flatMap((event) => {
    const { type, call } = event
    if (type === 'tool-start') return begun.has(call) && !asked.has(call as string) ? [event] : []
    const approved = approvedIn(event)
    return begun.has(approved) ? [event, startOf(approved)] : [event]
  })
}

/** Whether a tool ended that had begun. */
function hasRun({ type, outcome }: PrintedEvent): boolean {
  if (type !== 'tool-end') return false
  const { status, failure } = outcome as Outcome
  return status !== 'denied' && failure?.details?.['code'] !== 'unknown_tool'
}

interface Outcome {
  readonly status: string
  readonly failure?: { readonly details?: Readonly<Record<string, unknown>> }
}

/**
 * What version 0.1 answered to a batch, with the changes that were made on purpose since then:
 *
 * - A call in reasoning that ends a reply is read, and marked as such. For version 0.1 it was only reasoning.
 */
export function batchSince01(answers: readonly unknown[]): unknown {
  return answers.map((answer) => {
    if (!isObject(answer) || answer['content'] !== '') return answer
    const { reasoning, segments } = answer as { reasoning: string; segments: { type: string }[] }
    if (!reasoning.startsWith('<tool_call>')) return answer
    const written = JSON.parse(reasoning.split('\n')[1]!) as { name: string; arguments: object }
    const call = { id: 'dgs8as34s', ...written, complete: true, repairs: [], inReasoning: true }
    return {
      ...answer,
      protocol: 'hermes',
      reasoning: '',
      calls: [call],
      segments: segments.map((each) =>
        each.type === 'reasoning' ? { ...each, type: 'call' } : each,
      ),
    }
  })
}

/**
 * What version 0.1 read in its samples, with the changes that were made on purpose since then:
 *
 * - Whitespace between reasoning and the first visible text is markup. Version 0.1 took it for text.
 */
export function samplesSince01(samples: unknown): unknown {
  if (Array.isArray(samples)) return samples.map(samplesSince01)
  if (!isObject(samples)) return samples
  const entries = Object.entries(samples).map(([key, each]) => [key, samplesSince01(each)] as const)
  const sample = Object.fromEntries(entries)
  const { text, segments } = sample as { readonly text?: unknown; readonly segments?: unknown }
  if (typeof text !== 'string' || !Array.isArray(segments)) return sample
  const first = segments.findIndex((each) => isObject(each) && each['type'] === 'text')
  const afterReasoning = segments
    .slice(0, Math.max(first, 0))
    .some((each) => isObject(each) && each['type'] === 'reasoning')
  const space = text.length - text.trimStart().length
  if (!afterReasoning || space === 0) return sample
  return { ...sample, text: text.trimStart(), segments: withoutSpace(segments, first, space) }
}

/** Moves the space at the start of a text segment to the mark before it. */
function withoutSpace(segments: readonly unknown[], at: number, space: number): unknown[] {
  return segments.map((each, index) => {
    const { span } = each as { readonly span: readonly [number, number] }
    if (index === at - 1) return { ...(each as object), span: [span[0], span[1] + space] }
    if (index === at) return { ...(each as object), span: [span[0] + space, span[1]] }
    return each
  })
}

/**
 * The replayed events that version 0.1 printed, with the changes that were made on purpose since then:
 *
 * - An approval says which run and which decision it is about. Version 0.1 left both empty.
 */
export function replayedEventsSince01(
  events: readonly PrintedEvent[],
  hash: unknown,
): readonly PrintedEvent[] {
  return events.map((event) => {
    const { approval, run } = event
    return event.type === 'approval'
      ? { ...event, approval: { ...(approval as object), run, hash } }
      : event
  })
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
