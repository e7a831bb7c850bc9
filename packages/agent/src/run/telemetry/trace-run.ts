import { SpanKind } from '@opentelemetry/api'
import type { JournalRecord } from '../../journal/journal.ts'
import type { Model } from '../../model/model.ts'
import type { EndReason } from '../event.ts'
import type { RunEnd } from '../resume/history.ts'
import { providerName } from './provider-name.ts'
import { fail, type Telemetry, withinSpan } from './telemetry.ts'
import { parentOf } from './trace-parent.ts'

/** A run that is traced. */
export interface TracedRun {
  readonly id: string
  readonly model: Model
  /** Its records from before: another process may have begun the trace. */
  readonly before: readonly JournalRecord[]
}

/** Executes a run inside a span. What it does belongs to that span. */
export function traceRun<End extends RunEnd>(
  telemetry: Telemetry,
  { id, model, before }: TracedRun,
  work: (inside: Telemetry) => Promise<End>,
): Promise<End> {
  const { tracer, agent } = telemetry
  const { parent, links } = parentOf(telemetry.parent, before)
  const span = tracer.startSpan(
    agent === undefined ? 'invoke_agent' : `invoke_agent ${agent}`,
    {
      kind: SpanKind.INTERNAL,
      ...(links.length > 0 && { links: [...links] }),
      attributes: {
        'gen_ai.operation.name': 'invoke_agent',
        'gen_ai.provider.name': providerName(model),
        'gen_ai.request.model': model.name,
        'gen_ai.conversation.id': id,
        ...(agent !== undefined && { 'gen_ai.agent.name': agent }),
      },
    },
    parent,
  )
  return withinSpan({ parent }, span, async (inside) => {
    const end = await work({ ...telemetry, parent: inside })
    const { reason, usage } = end
    span.setAttributes({
      'toolglot.run.reason': reason,
      'gen_ai.usage.input_tokens': usage.input,
      'gen_ai.usage.output_tokens': usage.output,
    })
    if (!FINE.has(reason)) fail(span, reason)
    return end
  })
}

/** The run has its answer, or goes on later. */
const FINE: ReadonlySet<EndReason> = new Set(['answer', 'interrupted'])
