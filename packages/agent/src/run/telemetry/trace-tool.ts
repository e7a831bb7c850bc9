import { context, type Span, SpanKind, trace } from '@opentelemetry/api'
import type { CallState } from '../calls/call-state.ts'
import type { ToolOutcome } from '../calls/tool-outcome.ts'
import type { RunCall } from '../event.ts'
import { printed } from './content.ts'
import { fail, type Telemetry } from './telemetry.ts'

/** The span of a call in progress. */
export interface ToolSpan {
  /** The tool begins, and so does the span: the wait for approval does not count. */
  readonly begin: () => void
  /** Does what the tool does, inside the span. */
  readonly within: <Value>(work: () => Value) => Value
}

/** Runs a call, with a span from when its tool begins. A call that is refused has one without a duration. */
export async function traceTool(
  { telemetry, tools }: Pick<CallState, 'telemetry' | 'tools'>,
  call: RunCall,
  work: (span: ToolSpan) => Promise<ToolOutcome>,
): Promise<ToolOutcome> {
  // Other names are the model's own words.
  const name = tools.find(call.name) ? call.name : '_OTHER'
  const start = (): Span => startSpan(telemetry, call, name)
  let span: Span | undefined
  try {
    const outcome = await work({
      begin: () => void (span ??= start()),
      within: (does) => (span ? context.with(trace.setSpan(telemetry.parent, span), does) : does()),
    })
    span ??= start()
    if (span.isRecording()) describe(span, call, outcome, telemetry)
    return outcome
  } catch (error) {
    // The run was stopped, or cannot be recorded. If it pauses before the tool begins, there is nothing to tell.
    if (span) fail(span, 'unknown')
    throw error
  } finally {
    span?.end()
  }
}

function startSpan({ tracer, parent }: Telemetry, { id }: RunCall, name: string): Span {
  return tracer.startSpan(
    `execute_tool ${name}`,
    {
      kind: SpanKind.INTERNAL,
      attributes: {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': name,
        'gen_ai.tool.call.id': id,
        'gen_ai.tool.type': 'function',
      },
    },
    parent,
  )
}

function describe(
  span: Span,
  { args }: RunCall,
  { status, failure, text }: ToolOutcome,
  { content }: Telemetry,
): void {
  span.setAttribute('toolglot.tool.status', status)
  if (status !== 'success') fail(span, failure?.error_type ?? status)
  if (content)
    span.setAttributes({
      'gen_ai.tool.call.arguments': printed(args),
      'gen_ai.tool.call.result': printed(text),
    })
}
