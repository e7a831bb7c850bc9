import { type Attributes, context, type Span, SpanKind, trace } from '@opentelemetry/api'
import type { Finish } from '@toolglot/core'
import type { JournalRecord } from '../../journal/journal.ts'
import type { ChatMessage } from '../../model/chat-message.ts'
import type { Model } from '../../model/model.ts'
import { hideKeys } from '../../result/redact.ts'
import type { ToolOutcome } from '../calls/tool-outcome.ts'
import type { EndReason, RunCall } from '../event.ts'
import type { RunEnd } from '../resume/history.ts'
import type { CallState } from '../state.ts'
import { callsOf, reasoningOf, type Turn, visibleText } from '../turn/recorded-turn.ts'
import type { Reply, ReplyRequest } from '../turn/request-reply.ts'
import { fail, parentOf, providerName, type Telemetry, withinSpan } from './telemetry.ts'

/** A run that is being traced. */
interface TracedRun {
  readonly id: string
  readonly model: Model
  /** The earlier records of the run: another process may have started the trace. */
  readonly before: readonly JournalRecord[]
}

/** Executes a run inside a span. Further spans of the run become its children. */
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
      links: [...links],
      attributes: {
        'gen_ai.operation.name': 'invoke_agent',
        'gen_ai.provider.name': providerName(model),
        'gen_ai.request.model': model.name,
        'gen_ai.conversation.id': id,
        'gen_ai.agent.name': agent,
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

/** Ends without an error: the run has an answer or continues later. */
const FINE: ReadonlySet<EndReason> = new Set(['answer', 'interrupted'])

/** Requests a reply inside a span that covers all attempts. */
export function traceTurn(
  { telemetry, model, format, options }: ReplyRequest,
  work: () => Promise<Reply>,
): Promise<Reply> {
  const { tracer, parent, content } = telemetry
  const { temperature, topP, seed, maxOutputTokens, responseFormat } = options
  const span = tracer.startSpan(
    `chat ${model.name}`,
    {
      kind: SpanKind.CLIENT,
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': providerName(model),
        'gen_ai.request.model': model.name,
        'gen_ai.request.stream': true,
        'toolglot.protocol': format.protocol?.id ?? 'native',
        'gen_ai.request.temperature': temperature,
        'gen_ai.request.top_p': topP,
        'gen_ai.request.seed': seed,
        'gen_ai.request.max_tokens': maxOutputTokens,
        'gen_ai.output.type': responseFormat?.type,
      },
    },
    parent,
  )
  return withinSpan(telemetry, span, async () => {
    const reply = await work()
    if (!span.isRecording()) return reply
    span.setAttributes(replyAttributes(reply))
    if (content)
      span.setAttributes({
        'gen_ai.input.messages': inputMessages(reply.prompt.messages),
        'gen_ai.output.messages': outputMessages(reply.turn, finishReason(reply)),
      })
    return reply
  })
}

function replyAttributes(reply: Reply): Attributes {
  const { usage, firstToken } = reply.turn
  const { input, output, cached, reasoning, estimated } = usage
  return {
    'gen_ai.response.finish_reasons': [finishReason(reply)],
    'gen_ai.usage.input_tokens': input,
    'gen_ai.usage.output_tokens': output,
    ...(cached !== undefined && { 'gen_ai.usage.cache_read.input_tokens': cached }),
    ...(reasoning !== undefined && { 'gen_ai.usage.reasoning.output_tokens': reasoning }),
    ...(estimated && { 'toolglot.usage.estimated': true }),
    ...(firstToken !== undefined && {
      'gen_ai.response.time_to_first_chunk': firstToken / 1000,
    }),
  }
}

function finishReason({ turn: { native, finish } }: Reply): string {
  return native && finish === 'stop' ? 'tool_call' : FINISH[finish]
}

const FINISH: Readonly<Record<Finish, string>> = {
  stop: 'stop',
  'stop-string': 'stop',
  length: 'length',
  broken: 'error',
}

/** The span of a call in progress. */
export interface ToolSpan {
  /** Starts the span together with the tool. The wait for approval is not included. */
  readonly begin: () => void
  /** Does the tool's work inside the span. */
  readonly within: <Value>(work: () => Value) => Value
}

/**
 * Runs a call with a span that starts when its tool starts. A rejected call has a span without a
 * duration.
 */
export async function traceTool(
  { telemetry, tools }: Pick<CallState, 'telemetry' | 'tools'>,
  call: RunCall,
  work: (span: ToolSpan) => Promise<ToolOutcome>,
): Promise<ToolOutcome> {
  // Unknown names are text written by the model.
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
    // The run was stopped or cannot be recorded. A run that pauses before the tool starts has no
    // span.
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

/** A part of a message, as defined by the semantic conventions. */
type Part =
  | { readonly type: 'text' | 'reasoning'; readonly content: string }
  | { readonly type: 'uri'; readonly modality: 'image' }
  | {
      readonly type: 'tool_call'
      readonly id: string
      readonly name: string
      readonly arguments: unknown
    }
  | {
      readonly type: 'tool_call_response'
      readonly id: string | undefined
      readonly result: string
    }

/** A prompt as JSON, with images removed and possible secrets hidden. */
function inputMessages(messages: readonly ChatMessage[]): string {
  return printed(messages.map((message) => ({ role: message.role, parts: partsOf(message) })))
}

/** A reply as JSON. */
function outputMessages(turn: Turn, finish: string): string {
  const reasoning = reasoningOf(turn)
  const text = visibleText(turn)
  const parts: Part[] = [
    ...(reasoning === '' ? [] : [{ type: 'reasoning' as const, content: reasoning }]),
    ...(text === '' ? [] : [{ type: 'text' as const, content: text }]),
    ...callsOf(turn).map(({ id, name, args }) => callPart(id, name, args)),
  ]
  return printed([{ role: 'assistant', parts, finish_reason: finish }])
}

/** A value as JSON, with possible secrets hidden. */
function printed(value: unknown): string {
  return hideKeys(JSON.stringify(value) ?? '')
}

function partsOf(message: ChatMessage): Part[] {
  if (message.role === 'tool')
    return [{ type: 'tool_call_response', id: message.call, result: message.content }]
  const { content } = message
  const texts: Part[] =
    typeof content === 'string'
      ? [{ type: 'text', content }]
      : content.map((part) =>
          part.type === 'text'
            ? { type: 'text', content: part.text }
            : { type: 'uri', modality: 'image' },
        )
  if (message.role !== 'assistant') return texts
  const calls = (message.calls ?? []).map(({ id, name, args }) => callPart(id, name, args))
  return [...texts, ...calls]
}

function callPart(id: string, name: string, args: unknown): Part {
  return { type: 'tool_call', id, name, arguments: args }
}
