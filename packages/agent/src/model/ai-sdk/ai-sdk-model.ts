import type { LanguageModelV3, LanguageModelV3StreamPart } from '@ai-sdk/provider'
import type { Finish } from '@toolglot/core'
import { defaultLimits } from '../../limits.ts'
import { aiSdkError } from './error.ts'
import { finishOf } from './finish.ts'
import { callOptions } from './call-options.ts'
import { asObject } from '../as-object.ts'
import { checkRequest } from '../check-request.ts'
import type { Model, ModelChunk, ModelFacts, ModelRequest } from '../model.ts'
import { ModelError } from '../model-error.ts'
import { type TimedReply, startReply } from '../timed-reply.ts'
import type { Usage } from '../usage.ts'
import { plainLine } from '../plain-line.ts'

/** Limits, and facts about the model that the language model itself does not provide. */
export interface AiSdkOptions extends Omit<ModelFacts, 'grammars'> {
  /** The maximum time without output, in milliseconds. */
  readonly idleTimeout?: number | undefined
  /** The maximum total time for a reply, in milliseconds. */
  readonly timeout?: number | undefined
  /** The maximum length of a reply, in characters. */
  readonly maxReply?: number | undefined
}

/**
 * The part of an AI SDK language model (version 2, 3 or 4) that Toolglot uses. It does not
 * reference the SDK's own types, so code compiles without the SDK.
 */
export interface AiSdkLanguageModel {
  readonly specificationVersion: string
  readonly provider: string
  readonly modelId: string
  doStream(options: never): PromiseLike<{ readonly stream: ReadableStream<unknown> }>
}

/** Wraps an AI SDK language model. Uses native function calling unless `native` is false. */
export function aiSdkModel(
  model: AiSdkLanguageModel,
  { idleTimeout, timeout, maxReply = defaultLimits.maxReply, ...facts }: AiSdkOptions = {},
): Model {
  const { native = true } = facts
  const { roles = native ? ['system', 'tool'] : ['system'] } = facts
  const name = model.modelId
  return {
    ...facts,
    roles,
    native,
    name,
    provider: model.provider,

    async *reply(request) {
      checkRequest({ ...facts, name }, request)
      const options = callOptions(request)
      const addresses = facts.images ? imageAddresses(request) : []
      const timed = startReply(request, { idleTimeout, timeout, name })
      const reader = createPartReader(name, request)
      let length = 0
      try {
        const { signal } = timed
        if (addresses.length > 0) {
          await Promise.race([refuseUnsupportedUrls(model, addresses), aborted(signal)])
        }
        const streaming = (model as unknown as LanguageModelV3).doStream({
          ...options,
          abortSignal: signal,
        })
        const { stream } = await Promise.race([streaming, aborted(signal)])
        for await (const part of partsOf(stream, timed)) {
          for (const chunk of reader.read(part)) {
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
        if (!reader.isOver) yield { type: 'finish', finish: 'broken' }
      } catch (error) {
        // Report the reason of an abort instead of the failure it caused.
        timed.throwIfAborted()
        throw aiSdkError(error, name)
      } finally {
        timed.end()
      }
    },
  }
}

/**
 * Reads the parts of a stream. Calls arrive in pieces and then again as a whole; the whole is
 * skipped if its pieces were sent.
 */
function createPartReader(
  model: string,
  request: ModelRequest,
): {
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
      if (part.type === 'stream-start') refuseIgnoredSettings(part.warnings, request, model)
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
      const usage = readUsage(part.usage)
      const finish = readFinish(part.finishReason, model)
      return [...(usage ? [{ type: 'usage' as const, usage }] : []), { type: 'finish', finish }]
    },
  }
}

/** Rejects when the signal is aborted, because not every model honors its signal. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const stop = (): void => reject(signal.reason as Error)
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
}

/** Streams the parts until the deadline. */
async function* partsOf<Part>(
  stream: ReadableStream<Part>,
  timed: TimedReply,
): AsyncGenerator<Part, void, void> {
  const { signal } = timed
  const reader = stream.getReader()
  const stop = (): void => void reader.cancel(signal.reason).catch(() => undefined)
  if (signal.aborted) stop()
  else signal.addEventListener('abort', stop, { once: true })
  try {
    for (;;) {
      const { done, value } = await timed.waitFor(reader.read())
      signal.throwIfAborted()
      if (done) return
      yield value
    }
  } finally {
    signal.removeEventListener('abort', stop)
    stop()
  }
}

/** In version 3 `{unified}`, in version 2 a string. */
function readFinish(reason: unknown, model: string): Finish {
  const unified = typeof reason === 'string' ? reason : (reason as { unified?: unknown })?.unified
  if (unified === 'content-filter') {
    throw new ModelError(
      'refused',
      `A content filter stopped the reply of ${model}: rephrase the prompt.`,
    )
  }
  return finishOf(unified)
}

/** In version 3 `{inputTokens: {total, cacheRead}}`, in version 2 flat numbers. */
function readUsage(value: unknown): Usage | undefined {
  const all = asObject(value) ?? {}
  const [inputs, outputs] = [
    asObject(all['inputTokens']) ?? {},
    asObject(all['outputTokens']) ?? {},
  ]
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

function countOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined
}

/** The addresses of images in a request that are not included as data. */
function imageAddresses({ messages }: ModelRequest): string[] {
  const urls: string[] = []
  // A loop, for speed: this searches the whole history on every turn.
  for (const { content } of messages) {
    if (typeof content === 'string') continue
    for (const part of content)
      if (part.type === 'image' && !/^data:/i.test(part.url)) urls.push(part.url)
  }
  return urls
}

/**
 * Rejects addresses that the language model does not fetch itself. For those, the AI SDK's own
 * functions would have to download the image.
 */
async function refuseUnsupportedUrls(
  model: { readonly modelId: string; readonly supportedUrls?: unknown },
  urls: readonly string[],
): Promise<void> {
  const patterns = Object.entries(asObject(await model.supportedUrls) ?? {})
    .filter(([type]) => type === '*' || type === '*/*' || type.startsWith('image/'))
    .flatMap(([, list]) => (Array.isArray(list) ? (list as unknown[]) : []))
    .filter((pattern) => pattern instanceof RegExp)
  // The patterns match lowercase URLs.
  if (urls.every((url) => patterns.some((pattern) => url.toLowerCase().search(pattern) >= 0)))
    return
  throw new ModelError(
    'refused',
    `${model.modelId} does not fetch images from their addresses: pass them as data:image/…;base64,… URLs.`,
  )
}

/** Rejects a request if the language model warned that it ignores one of its settings. */
function refuseIgnoredSettings(warnings: unknown, request: ModelRequest, model: string): void {
  for (const warning of Array.isArray(warnings) ? (warnings as unknown[]) : []) {
    // In version 3 `feature`, in version 2 `setting`.
    const { type, feature, setting, details } = asObject(warning) ?? {}
    if (type !== 'unsupported' && type !== 'unsupported-setting') continue
    const ignored = SETTINGS.find((name) => name === (feature ?? setting))
    if (ignored === undefined || request[ignored] === undefined) continue
    const why = typeof details === 'string' && details !== '' ? ` (${plainLine(details)})` : ''
    throw new ModelError('refused', `${model} does not support \`${ignored}\`: leave it out${why}.`)
  }
}

const SETTINGS = ['toolChoice', 'responseFormat', 'topP', 'seed'] as const
