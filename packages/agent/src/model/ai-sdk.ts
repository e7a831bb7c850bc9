import type { LanguageModelV3, LanguageModelV3StreamPart } from '@ai-sdk/provider'
import type { Finish } from '@toolglot/core'
import { defaultLimits } from '../limits.ts'
import { aiSdkError } from './ai-sdk/error.ts'
import { promptOf, toolsOf } from './ai-sdk/prompt.ts'
import type { Model, ModelChunk } from './model.ts'
import { ModelError } from './model-error.ts'
import { type ReplyDeadline, startReplyDeadline } from './reply-deadline.ts'
import type { Usage } from './usage.ts'

export interface AiSdkOptions extends Pick<
  Model,
  'chatTemplate' | 'contextTokens' | 'roles' | 'native' | 'price'
> {
  readonly idleTimeout?: number
  readonly timeout?: number
  /** The longest reply, in characters. */
  readonly maxReply?: number
}

/**
 * What a language model of the AI SDK, version 2 or 3, has. Its own types are not named here: they would have to be
 * installed by everyone whose compiler reads ours.
 */
export interface AiSdkLanguageModel {
  readonly specificationVersion: string
  readonly provider: string
  readonly modelId: string
  doStream(options: never): PromiseLike<{ readonly stream: ReadableStream<unknown> }>
}

/** Any language model of the AI SDK. Its function calling is used unless `native` is false. */
export function aiSdkModel(
  model: AiSdkLanguageModel,
  { idleTimeout, timeout, maxReply = defaultLimits.maxReply, ...facts }: AiSdkOptions = {},
): Model {
  const { native = true } = facts
  const name = model.modelId
  const patient = {
    idleTimeout: idleTimeout ?? defaultLimits.idleTimeout,
    timeout: timeout ?? defaultLimits.modelTimeout,
    name,
  }
  return {
    roles: native ? ['system', 'tool'] : ['system'],
    ...facts,
    native,
    name,
    provider: model.provider,

    async *reply(request) {
      const { maxTokens, temperature, stop = [] } = request
      const patience = startReplyDeadline(request, patient)
      const tools = toolsOf(request)
      const reading = createReading(name)
      let length = 0
      try {
        const { signal } = patience
        const streaming = (model as unknown as LanguageModelV3).doStream({
          prompt: promptOf(request.messages),
          ...(tools.length > 0 && { tools }),
          ...(stop.length > 0 && { stopSequences: [...stop] }),
          ...(maxTokens !== undefined && { maxOutputTokens: maxTokens }),
          ...(temperature !== undefined && { temperature }),
          abortSignal: signal,
        })
        const { stream } = await Promise.race([streaming, aborted(signal)])
        for await (const part of partsOf(stream, patience)) {
          for (const chunk of reading.read(part)) {
            if ('delta' in chunk) length += chunk.delta?.length ?? 0
            if (length > maxReply) {
              throw new ModelError(
                'too_long',
                `The reply of ${name} is longer than ${maxReply} characters.`,
              )
            }
            yield chunk
          }
        }
        if (!reading.isOver) yield { type: 'finish', finish: 'broken' }
      } catch (error) {
        // What aborting made fail is told by why it was aborted.
        patience.throwIfOver()
        throw aiSdkError(error, name)
      } finally {
        patience.end()
      }
    },
  }
}

/** Reads parts of a stream. Calls come in pieces and then whole: what came in pieces is not told twice. */
function createReading(model: string): {
  read(part: LanguageModelV3StreamPart): ModelChunk[]
  readonly isOver: boolean
} {
  const calls: string[] = []
  let isOver = false
  return {
    get isOver() {
      return isOver
    },
    read(part) {
      if (part.type === 'text-delta') return [{ type: 'text', delta: part.delta }]
      if (part.type === 'reasoning-delta') return [{ type: 'reasoning', delta: part.delta }]
      if (part.type === 'tool-input-start' && !part.providerExecuted) {
        return [{ type: 'call', index: calls.push(part.id) - 1, id: part.id, name: part.toolName }]
      }
      if (part.type === 'tool-input-delta') {
        const index = calls.indexOf(part.id)
        return index < 0 ? [] : [{ type: 'call', index, delta: part.delta }]
      }
      if (part.type === 'tool-call' && !part.providerExecuted) {
        const { toolCallId: id, toolName: name, input } = part
        if (calls.includes(id)) return []
        return [{ type: 'call', index: calls.push(id) - 1, id, name, delta: input }]
      }
      if (part.type === 'error') throw aiSdkError(part.error, model)
      if (part.type !== 'finish') return []
      isOver = true
      const usage = usageOf(part.usage)
      const finish = finishOf(part.finishReason, model)
      return [...(usage ? [{ type: 'usage' as const, usage }] : []), { type: 'finish', finish }]
    },
  }
}

/** Fails when it is aborted: not every model heeds its signal. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const stop = (): void => reject(signal.reason as Error)
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
}

/** The same for a stream. */
async function* partsOf<Part>(
  stream: ReadableStream<Part>,
  patience: ReplyDeadline,
): AsyncGenerator<Part, void, void> {
  const { signal } = patience
  const reader = stream.getReader()
  const stop = (): void => void reader.cancel(signal.reason).catch(() => undefined)
  if (signal.aborted) stop()
  else signal.addEventListener('abort', stop, { once: true })
  try {
    for (;;) {
      const { done, value } = await patience.next(reader.read())
      signal.throwIfAborted()
      if (done) return
      yield value
    }
  } finally {
    signal.removeEventListener('abort', stop)
    stop()
  }
}

/** Of version 3, `{unified}`; of version 2, a text. */
function finishOf(reason: unknown, model: string): Finish {
  const told = typeof reason === 'string' ? reason : (reason as { unified?: unknown })?.unified
  if (told === 'content-filter') {
    throw new ModelError(
      'refused',
      `A content filter stopped the reply of ${model}: ask otherwise.`,
    )
  }
  if (told === 'stop' || told === 'tool-calls') return 'stop'
  return told === 'length' ? 'length' : 'broken'
}

/** Of version 3, `{inputTokens: {total, cacheRead}}`; of version 2, numbers beside each other. */
function usageOf(value: unknown): Usage | undefined {
  const all = recordOf(value)
  const [inputs, outputs] = [recordOf(all['inputTokens']), recordOf(all['outputTokens'])]
  const input = countOf(inputs['total'] ?? all['inputTokens'])
  const output = countOf(outputs['total'] ?? all['outputTokens'])
  if (input === undefined || output === undefined) return undefined
  const cached = countOf(inputs['cacheRead'] ?? all['cachedInputTokens'])
  const reasoning = countOf(outputs['reasoning'] ?? all['reasoningTokens'])
  return {
    input,
    output,
    ...(cached !== undefined && { cached }),
    ...(reasoning !== undefined && { reasoning }),
  }
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

function countOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined
}
