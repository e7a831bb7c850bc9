import {
  neutralize,
  type Protocol,
  protocols as every,
  restore,
  type Segment,
  type Span,
  type ToolDefinition,
} from '@toolglot/core'
import { parse } from '@toolglot/core/engine'

/** A part of a reply. */
interface Part {
  readonly type: Segment['type']
  readonly span: Span
}

/** The text of a reply besides its calls: everything but calls, reasoning and marks. */
export function textBesideCalls(content: string, segments: readonly Part[]): string {
  return segments
    .map(({ type, span }) => (TEXT.has(type) ? content.slice(...span) : ''))
    .join('')
    .trim()
}

const TEXT: ReadonlySet<Segment['type']> = new Set(['text', 'malformed', 'result'])

/**
 * The text of a reply with malformed calls, as it enters the history: without the calls that could be read, which are
 * printed again, and with inert marks, so that the model neither copies the malformed notation nor finds a call in it.
 * Inert marks in malformed parts alone would not do: the section around them, or a call that another mark had ended,
 * would then be read differently. Text that the model copies from it is restored, like text copied from results.
 */
export function inertText(
  content: string,
  segments: readonly Part[],
  {
    tools,
    protocols,
  }: {
    readonly tools: readonly ToolDefinition[]
    readonly protocols: Protocol | undefined
  },
): string {
  const options = { tools, protocols }
  // Marks that the model copied from a result are inert already.
  const inert = neutralize(restore(textBesideCalls(content, segments), options), options)
  // A few things look like the start of a call without any mark.
  const { segments: parts } = parse(`${inert}\n.`, { tools, protocols: protocols ?? EVERY })
  const read = parts.filter(({ type }) => !TEXT_ONLY.has(type))
  if (read.length === 0) return inert
  let at = 0
  const kept = read.map(({ span: [from, to] }) => {
    const text = inert.slice(at, from)
    at = to
    return text
  })
  return [...kept, inert.slice(at)].join('').trim()
}

const EVERY = Object.values(every)

const TEXT_ONLY: ReadonlySet<Segment['type']> = new Set(['text', 'mark', 'reasoning'])
