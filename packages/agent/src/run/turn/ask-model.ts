import { checkRequest } from '../../model/check-request.ts'
import { ModelError } from '../../model/model-error.ts'
import type { Model, ModelRequest } from '../../model/model.ts'
import { startReplyDeadline } from '../../model/reply-deadline.ts'
import type { Limits } from '../../limits.ts'
import { pause } from '../../time/pause.ts'
import { unlessAborted } from '../../time/unless-aborted.ts'
import { type ParsedReply, parseReplyStream, type ParseReplyOptions } from './parse-reply-stream.ts'

/** Options of `askModel`. */
export interface AskModelOptions extends ParseReplyOptions {
  readonly limits: Pick<Limits, 'maxRetries' | 'modelTimeout' | 'idleTimeout'>
  /** Ends the wait before another attempt. */
  readonly release: AbortSignal
  /** Whether to ask again after part of a reply came. Its events cannot be taken back. */
  readonly retryReplies: boolean
  /** How many of the messages the model was sent before. */
  readonly sentBefore: number
  /** Called before the model is asked again. */
  readonly onRetry: (error: ModelError, delay: number) => void
}

/** Asks a model, and asks again after transient errors. Nothing of a reply that failed is used. */
export async function askModel(
  model: Model,
  request: ModelRequest,
  options: AskModelOptions,
): Promise<ParsedReply> {
  const { limits, release, onRetry, retryReplies, sentBefore } = options
  checkRequest(model, request, sentBefore)
  const began = performance.now()
  let idle = 0
  let hasReplied = false
  const emit: AskModelOptions['emit'] = (event) => {
    hasReplied = true
    options.emit(event)
  }
  for (let attempt = 1; ; attempt++) {
    try {
      const reply = await askOnce(model, request, { ...options, emit })
      if (reply.finish !== 'broken' || reply.segments.some(isCompleteCall)) return reply
      throw new ModelError(
        'garbled',
        `The reply of ${model.name} broke off after ${reply.content.length} characters.`,
      )
    } catch (error) {
      request.signal.throwIfAborted()
      if (!(error instanceof ModelError)) throw unknownError(model, error)
      if (error.problem === 'idle') idle++
      const delay = delayAfter(error, attempt)
      const isHopeless =
        !error.isTransient ||
        (hasReplied && !retryReplies) ||
        idle > MAX_IDLE ||
        attempt > limits.maxRetries ||
        performance.now() - began + delay > MAX_TIME
      if (isHopeless) throw error
      onRetry(error, delay)
      await pause(delay, AbortSignal.any([request.signal, release]))
    }
  }
}

/** The deadline holds even for a model that ignores it, and its signal. */
async function askOnce(
  model: Model,
  request: ModelRequest,
  options: AskModelOptions,
): Promise<ParsedReply> {
  const { modelTimeout: timeout, idleTimeout } = options.limits
  const deadline = startReplyDeadline(request, { name: model.name, idleTimeout, timeout })
  const { signal } = deadline
  try {
    const chunks = model.reply({
      ...request,
      idleTimeout,
      ...(timeout !== undefined && { timeout }),
      signal,
    })
    return await unlessAborted(signal, parseReplyStream(chunks, deadline, options))
  } finally {
    // Closes the connection of a model that sends more than is wanted, or too late.
    deadline.clear()
  }
}

/** The delay that the server asks for; otherwise exponential backoff with jitter. */
function delayAfter({ retryAfter }: ModelError, attempt: number): number {
  if (retryAfter !== undefined) return retryAfter
  return Math.min(500 * 2 ** (attempt - 1), 16_000) * (0.75 + Math.random() / 2)
}

/** For all attempts together, in milliseconds. */
const MAX_TIME = 120_000

const MAX_IDLE = 1

function isCompleteCall(segment: ParsedReply['segments'][number]): boolean {
  return segment.type === 'call' && segment.call.complete
}

function unknownError({ name }: Model, error: unknown): ModelError {
  const message = error instanceof Error ? error.message : String(error)
  return new ModelError('unavailable', `${name} failed: ${message}`, { cause: error })
}
