import {
  type Context,
  context,
  isSpanContextValid,
  type Link,
  type Span,
  type SpanContext,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Tracer,
} from '@opentelemetry/api'
import type { JournalRecord } from '../../journal/journal.ts'
import { printKey } from '../../journal/keys.ts'
import { ModelError } from '../../model/model-error.ts'
import type { Model } from '../../model/model.ts'
import type { RunSetup } from '../resume/history.ts'

/** The content of spans in addition to names, times, tokens and errors. */
export interface TelemetryOptions {
  /** The name of the agent, for the spans of its runs. */
  readonly agent?: string | undefined
  /** Include prompts, replies, arguments and results in spans. Default: false. */
  readonly content?: boolean | undefined
}

/**
 * The tracer and the parent for the spans of a run, a turn or a cycle. Without an OpenTelemetry
 * SDK, there are no spans.
 */
export interface Telemetry extends TelemetryOptions {
  readonly tracer: Tracer
  /** The context of their parent. */
  readonly parent: Context
}

/** The telemetry of an operation that starts now, inside the current span if there is one. */
export function startTelemetry(options: TelemetryOptions = {}): Telemetry {
  return { ...options, tracer: trace.getTracer('@toolglot/agent'), parent: context.active() }
}

/** Does work inside a span, which ends in any case. */
export async function withinSpan<Result>(
  { parent }: Pick<Telemetry, 'parent'>,
  span: Span,
  work: (inside: Context) => Promise<Result>,
): Promise<Result> {
  const inside = trace.setSpan(parent, span)
  try {
    return await context.with(inside, () => work(inside))
  } catch (error) {
    fail(span, errorType(error))
    throw error
  } finally {
    span.end()
  }
}

/** Marks a span as failed, without a message, which might contain text written by the model. */
export function fail(span: Span, type: string): void {
  span.setAttribute('error.type', type)
  span.setStatus({ code: SpanStatusCode.ERROR })
}

/** The type of an error, as one word. */
function errorType(error: unknown): string {
  if (error instanceof ModelError) return error.problem
  const name = error instanceof Error ? error.name : ''
  if (name === 'AbortError') return 'cancelled'
  return /^[A-Za-z]\w{0,63}$/.test(name) ? name : '_OTHER'
}

/** The name of a model's provider in the semantic conventions, if it has one. */
export function providerName({
  provider = '',
  reference = '',
}: Pick<Model, 'provider' | 'reference'>): string {
  // A reference such as `lmstudio/a` starts with a shorter server name than the name for display.
  // An address contains no name.
  const [, id] = /^(\w[\w.-]*)\//.exec(reference) ?? []
  const name = id ?? provider.trim().toLowerCase()
  return name === '' ? '_OTHER' : (KNOWN[name] ?? name)
}

const KNOWN: Readonly<Record<string, string>> = {
  gemini: 'gcp.gemini',
  mistral: 'mistral_ai',
  xai: 'x_ai',
}

/** The span in a context as a W3C `traceparent`, or undefined if there is none. */
export function printTraceParent(inside: Context): string | undefined {
  const span = trace.getSpanContext(inside)
  if (!span || !isSpanContextValid(span)) return undefined
  const { traceId, spanId, traceFlags } = span
  return `00-${traceId}-${spanId}-${(traceFlags & TraceFlags.SAMPLED).toString(16).padStart(2, '0')}`
}

/**
 * The parent of a run's span. If other processes executed the run before, the span belongs to their
 * trace, with a link to the current span. Otherwise, it is a child of the current span.
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

/** Records may contain any value. */
function readTraceParent(text: unknown): SpanContext | undefined {
  const found = typeof text === 'string' ? TRACE_PARENT.exec(text) : undefined
  if (!found) return undefined
  const [, traceId = '', spanId = '', flags] = found
  const traceFlags = flags === '01' ? TraceFlags.SAMPLED : TraceFlags.NONE
  const span = { traceId, spanId, traceFlags, isRemote: true }
  return isSpanContextValid(span) ? span : undefined
}

const TRACE_PARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-(0[01])$/
