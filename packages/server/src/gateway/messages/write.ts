import type { Usage } from '@toolglot/agent'
import { type AnswerEnd, type AnswerEvent, extensionOf } from '../answer-event.ts'
import type { ApiError, InputEstimate, StreamWriter } from '../api.ts'
import { type Block, type BlockEvent, BlockReader, blocksOf } from '../blocks.ts'

/** The fields of an answer other than the model's text. */
export interface MessageAnswer {
  readonly id: string
  readonly model: string
  /** True if the client wants to see the model's reasoning. */
  readonly showsThinking: boolean
}

/** Writes a streamed message. */
export function messagesStream(answer: MessageAnswer, estimate: InputEstimate): StreamWriter {
  const reader = new BlockReader()
  let isBegun = false
  const begin = (): string => {
    if (isBegun) return ''
    isBegun = true
    const usage = usageOf({ input: estimate(), output: 0 })
    return event('message_start', { message: { ...messageOf(answer, []), usage } })
  }
  return {
    write(next) {
      if (next.type === 'reasoning' && !answer.showsThinking) return ''
      const events = reader.read(next).map(eventOf)
      return `${begin()}${events.join('')}`
    },
    error: (error) => event('error', messagesError(error)),
  }
}

function eventOf(step: BlockEvent): string {
  if (step.type === 'end') {
    const { end } = step
    const delta = endOf(end)
    return event('message_delta', { delta, usage: usageOf(end.usage) }) + event('message_stop', {})
  }
  const { index } = step
  if (step.type === 'start') {
    const block =
      step.kind === 'call' ? callBlock(step.id, step.name, {}) : textBlock(step.kind, '')
    return event('content_block_start', { index, content_block: block })
  }
  if (step.type === 'delta')
    return event('content_block_delta', { index, delta: DELTAS[step.kind](step.delta) })
  const { block } = step
  const signature =
    block.kind === 'reasoning'
      ? event('content_block_delta', {
          index,
          delta: { type: 'signature_delta', signature: SIGNATURE },
        })
      : ''
  const extension = block.kind === 'call' ? extensionOf(block.call) : undefined
  return signature + event('content_block_stop', { index, ...extension })
}

const DELTAS: Readonly<Record<Block['kind'], (delta: string) => object>> = {
  text: (text) => ({ type: 'text_delta', text }),
  reasoning: (thinking) => ({ type: 'thinking_delta', thinking }),
  call: (json) => ({ type: 'input_json_delta', partial_json: json }),
}

/**
 * Clients require a signature on thinking. Its content has no effect, since thinking in requests is
 * omitted.
 */
const SIGNATURE = 'toolglot'

/** A complete message. */
export function wholeMessage(events: readonly AnswerEvent[], answer: MessageAnswer): object {
  const { blocks, end } = blocksOf(events)
  const shown = blocks.filter(({ kind }) => kind !== 'reasoning' || answer.showsThinking)
  const content = shown.map(blockOf)
  return {
    ...messageOf(answer, content),
    ...endOf(end),
    usage: usageOf(end.usage),
  }
}

function blockOf(block: Block): object {
  if (block.kind !== 'call') return textBlock(block.kind, block.text, SIGNATURE)
  const { call } = block
  return { ...callBlock(call.id, call.name, call.args), ...extensionOf(call) }
}

function messageOf({ id, model }: MessageAnswer, content: readonly object[]): object {
  return {
    id,
    type: 'message',
    role: 'assistant',
    model,
    content,
    stop_reason: null,
    stop_sequence: null,
  }
}

function textBlock(kind: 'text' | 'reasoning', text: string, signature = ''): object {
  if (kind === 'text') return { type: 'text', text }
  return { type: 'thinking', thinking: text, signature }
}

function callBlock(id: string, name: string, input: object): object {
  return { type: 'tool_use', id, name, input }
}

function endOf({ reason, stopSequence }: AnswerEnd): object {
  if (stopSequence !== undefined)
    return { stop_reason: 'stop_sequence', stop_sequence: stopSequence }
  const stopReason = { answer: 'end_turn', calls: 'tool_use', length: 'max_tokens' }[reason]
  return { stop_reason: stopReason, stop_sequence: null }
}

function usageOf({ input, output, cached = 0 }: Usage): object {
  return {
    input_tokens: input - cached,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: cached,
    output_tokens: output,
  }
}

/** An error in Anthropic's format. Its code is in the details. */
export function messagesError({ status, code, message, overflow }: ApiError): object {
  // Claude Code recognizes these words and numbers, and shortens the conversation accordingly.
  const counts = overflow ? `: ${overflow.tokens} tokens > ${overflow.maximum} maximum` : ''
  const start = code === 'context_length_exceeded' ? `prompt is too long${counts}. ` : ''
  return {
    type: 'error',
    error: { type: typeOf(status), message: start + message, details: { error_code: code } },
  }
}

function typeOf(status: number): string {
  return TYPES[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error')
}

const TYPES: Readonly<Partial<Record<number, string>>> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  503: 'overloaded_error',
  504: 'timeout_error',
}

function event(type: string, fields: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`
}
