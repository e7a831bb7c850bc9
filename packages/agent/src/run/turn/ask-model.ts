import { startTimer } from '../../time/start-timer.ts'
import { ModelError } from '../../model/model-error.ts'
import type { Model, ModelRequest } from '../../model/model.ts'
import { BEFORE } from '../../model/reply-deadline.ts'
import { pause } from '../../time/pause.ts'
import type { Limits } from '../../limits.ts'
import { raceAbort } from '../../time/race-abort.ts'
import { type ParsedReply, parseReplyStream, type ParseReplyOptions } from './parse-reply-stream.ts'

export interface AskModelOptions extends Omit<ParseReplyOptions, 'onChunk'> {
  readonly limits: Pick<Limits, 'maxRetries' | 'modelTimeout' | 'idleTimeout'>
  /** Told before the model is asked again. */
  readonly onRetry: (error: ModelError, wait: number) => void
}

/** Asks a model, and again after errors that may pass. Nothing of a reply that failed is used. */
export async function askModel(
  model: Model,
  request: ModelRequest,
  options: AskModelOptions,
): Promise<ParsedReply> {
  const { limits, onRetry } = options
  const began = performance.now()
  let idle = 0
  for (let attempt = 1; ; attempt++) {
    try {
      const read = await inTime(model, request, options)
      if (read.finish !== 'broken' || read.segments.some(isWholeCall)) return read
      throw new ModelError(
        'garbled',
        `The reply of ${model.name} broke off after ${read.content.length} characters.`,
      )
    } catch (error) {
      request.signal.throwIfAborted()
      if (!(error instanceof ModelError)) throw unknownError(model, error)
      if (error.problem === 'idle') idle++
      const delay = delayAfter(error, attempt)
      const isHopeless =
        !error.isTransient ||
        idle > MAX_IDLE ||
        attempt > limits.maxRetries ||
        performance.now() - began + delay > MAX_TIME
      if (isHopeless) throw error
      onRetry(error, delay)
      await pause(delay, request.signal)
    }
  }
}

/** With two clocks: one for the whole reply, one that each piece of it sets back. */
async function inTime(model: Model, request: ModelRequest, options: AskModelOptions): Promise<ParsedReply> {
  const { modelTimeout, idleTimeout } = options.limits
  const stop = new AbortController()
  const { signal } = stop
  const cancel = (): void => stop.abort(request.signal.reason)
  const giveUp = (problem: 'idle' | 'timeout', message: string): void =>
    stop.abort(new ModelError(problem, message))
  const total = startTimer(modelTimeout, () => giveUp('timeout', slow(model, modelTimeout)))
  let heard = performance.now()
  let most = idleTimeout * BEFORE
  const listen = (): void => {
    const left = heard + most - performance.now()
    if (left <= 0) giveUp('idle', silent(model, most))
    else idle = startTimer(left, listen)
  }
  let idle = startTimer(idleTimeout, listen)
  if (request.signal.aborted) cancel()
  else request.signal.addEventListener('abort', cancel, { once: true })
  try {
    return await raceAbort(
      parseReplyStream(
        model,
        { ...request, idleTimeout, timeout: modelTimeout, signal },
        {
          ...options,
          onChunk: () => {
            heard = performance.now()
            most = idleTimeout
          },
        },
      ),
      signal,
    )
  } finally {
    clearTimeout(idle)
    clearTimeout(total)
    request.signal.removeEventListener('abort', cancel)
    // Whoever sends more than is wanted, or is no longer heard, is not listened to.
    stop.abort(OVER)
  }
}

/** One for all, since none is ever shown. */
const OVER = new Error('Nobody listens any more.')

/** As long as the server asks for, at most a minute; else twice as long each time, and a bit by chance. */
function delayAfter({ retryAfter }: ModelError, attempt: number): number {
  if (retryAfter !== undefined) return Math.min(retryAfter, 60_000)
  return Math.min(500 * 2 ** (attempt - 1), 16_000) * (0.75 + Math.random() / 2)
}

/** All tries together, in milliseconds. */
const MAX_TIME = 120_000

const MAX_IDLE = 1

function isWholeCall(segment: ParsedReply['segments'][number]): boolean {
  return segment.type === 'call' && segment.call.complete
}

function silent({ name }: Model, limit: number): string {
  return `${name} said nothing for ${limit / 1000} seconds. Is it still loading? Try again, or raise idleTimeout.`
}

function slow({ name }: Model, limit: number): string {
  return `${name} took more than ${limit / 1000} seconds for a reply. Raise modelTimeout, or ask for less.`
}

function unknownError({ name }: Model, error: unknown): ModelError {
  const said = error instanceof Error ? error.message : String(error)
  return new ModelError('unavailable', `${name} failed: ${said}`, { cause: error })
}
