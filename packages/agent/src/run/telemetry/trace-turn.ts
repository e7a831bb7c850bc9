import { type Attributes, SpanKind } from '@opentelemetry/api'
import type { Finish } from '@toolglot/core'
import type { Reply, ReplyRequest } from '../turn/request-reply.ts'
import { inputMessages, outputMessages } from './content.ts'
import { providerName } from './provider-name.ts'
import { withinSpan } from './telemetry.ts'

/** Requests a reply inside a span, which includes all attempts. */
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
        ...(temperature !== undefined && { 'gen_ai.request.temperature': temperature }),
        ...(topP !== undefined && { 'gen_ai.request.top_p': topP }),
        ...(seed !== undefined && { 'gen_ai.request.seed': seed }),
        ...(maxOutputTokens !== undefined && { 'gen_ai.request.max_tokens': maxOutputTokens }),
        ...(responseFormat && { 'gen_ai.output.type': responseFormat.type }),
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
