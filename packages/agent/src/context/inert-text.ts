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

/** The text of a reply without calls, reasoning and marks. */
export function textBesideCalls(content: string, segments: readonly Part[]): string {
  return segments
    .map(({ type, span }) => (TEXT.has(type) ? content.slice(...span) : ''))
    .join('')
    .trim()
}

const TEXT: ReadonlySet<Segment['type']> = new Set(['text', 'malformed', 'result'])

/**
 * The text of a reply with malformed calls, for the history. It excludes the calls that could be
 * parsed, which are printed separately. All marks are made inert, so the model neither copies the
 * malformed notation nor finds a call in it. Neutralizing only the marks of malformed parts would
 * not be enough: the section around them, or a call ended by another mark, would then be read
 * differently. Text that the model copies from here is restored like text copied from results.
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
  // Marks copied from a result are already inert.
  const inert = neutralize(restore(textBesideCalls(content, segments), options), options)
  // Some text looks like the start of a call even without marks.
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
