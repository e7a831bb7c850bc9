import {
  type Context,
  context,
  type Span,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import { ModelError } from '../../model/model-error.ts'

/** What spans say besides names, times, tokens and errors. */
export interface TelemetryOptions {
  /** The name of the agent, for the spans of its runs. */
  readonly agent?: string | undefined
  /** Whether spans contain prompts, replies, arguments and results. Default: false. */
  readonly content?: boolean | undefined
}

/** Where the spans of a run, a turn or a cycle belong. Without an SDK of OpenTelemetry, there are none. */
export interface Telemetry extends TelemetryOptions {
  readonly tracer: Tracer
  /** What their parent is in. */
  readonly parent: Context
}

/** The telemetry of something that begins now, inside the current span if there is one. */
export function startTelemetry(options: TelemetryOptions = {}): Telemetry {
  return { ...options, tracer: trace.getTracer('@toolglot/agent'), parent: context.active() }
}

/** Does work inside a span, and ends the span in any case. */
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

/** Marks a span as failed. Messages may contain what the model wrote, so there is none. */
export function fail(span: Span, type: string): void {
  span.setAttribute('error.type', type)
  span.setStatus({ code: SpanStatusCode.ERROR })
}

/** One word for what went wrong. */
function errorType(error: unknown): string {
  if (error instanceof ModelError) return error.problem
  const name = error instanceof Error ? error.name : ''
  if (name === 'AbortError') return 'cancelled'
  return /^[A-Za-z]\w{0,63}$/.test(name) ? name : '_OTHER'
}
