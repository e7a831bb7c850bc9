import {
  type Context,
  isSpanContextValid,
  type Link,
  type SpanContext,
  trace,
  TraceFlags,
} from '@opentelemetry/api'
import type { JournalRecord } from '../../journal/journal.ts'
import { printKey } from '../../journal/keys.ts'
import type { RunSetup } from '../resume/history.ts'

/** The span inside a context, as W3C's `traceparent` writes it; undefined if there is none. */
export function printTraceParent(inside: Context): string | undefined {
  const span = trace.getSpanContext(inside)
  if (!span || !isSpanContextValid(span)) return undefined
  const { traceId, spanId, traceFlags } = span
  return `00-${traceId}-${spanId}-${(traceFlags & TraceFlags.SAMPLED).toString(16).padStart(2, '0')}`
}

/**
 * Where the span of a run belongs that other processes have executed before: in their trace, with a link to what it was continued
 * by. Otherwise it is inside whatever is going on here.
 */
export function parentOf(
  here: Context,
  records: readonly JournalRecord[],
): { readonly parent: Context; readonly links: readonly Link[] } {
  const first = records.find(({ key, kind }) => kind === 'value' && key === FIRST_SETUP)
  const before = readTraceParent((first?.value as RunSetup | undefined)?.trace)
  if (!before) return { parent: here, links: [] }
  const current = trace.getSpanContext(here)
  return {
    parent: trace.setSpanContext(here, before),
    links: current && isSpanContextValid(current) ? [{ context: current }] : [],
  }
}

const FIRST_SETUP = printKey({ type: 'setup', number: 0 })

/** Records may contain anything. */
function readTraceParent(text: unknown): SpanContext | undefined {
  const found = typeof text === 'string' ? TRACE_PARENT.exec(text) : undefined
  if (!found) return undefined
  const [, traceId = '', spanId = '', flags] = found
  const traceFlags = flags === '01' ? TraceFlags.SAMPLED : TraceFlags.NONE
  const span = { traceId, spanId, traceFlags, isRemote: true }
  return isSpanContextValid(span) ? span : undefined
}

const TRACE_PARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-(0[01])$/
