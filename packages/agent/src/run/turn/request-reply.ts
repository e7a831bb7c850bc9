import type { ToolDefinition } from '@toolglot/core'
import type { ChatRendering } from '../../context/chat-rendering.ts'
import type { Message } from '../../context/message.ts'
import { renderHistory } from '../../context/render-chat.ts'
import type { Limits } from '../../limits.ts'
import type { ChatMessage } from '../../model/chat-message.ts'
import { checkRequest } from '../../model/check-request.ts'
import { ModelError } from '../../model/model-error.ts'
import type { Model, ModelRequest, ToolChoice } from '../../model/model.ts'
import { startReply } from '../../model/timed-reply.ts'
import { estimateUsage } from '../../model/token-counter.ts'
import { withCost } from '../../model/usage.ts'
import { describeTime } from '../../time/describe-time.ts'
import { pause, unlessAborted } from '../../time/time-limit.ts'
import { traceTurn } from '../telemetry/spans.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'
import type { CallFormat } from './call-format.ts'
import type { MakeId } from './call-ids.ts'
import { takesImages, withoutImages } from './left-out-images.ts'
import { type ParsedReply, parseReplyStream, type ReplyEvent } from './parse-reply-stream.ts'
import type { Turn } from './recorded-turn.ts'
import { droppedTokens, replyWarnings } from './reply-warnings.ts'
import { requestFields, type RequestOptions } from './request-options.ts'
import type { SentPrompt } from './sent-prompt.ts'

/** A warning, as an event. */
export interface WarningEvent {
  readonly type: 'warning'
  readonly code: string
  readonly message: string
}

/** A request for a reply, with all data needed to process it. */
export interface ReplyRequest {
  readonly model: Model
  readonly format: CallFormat
  /** The tools in the prompt or the request. */
  readonly tools: readonly ToolDefinition[]
  /** The tools accepted by the parser, including aliases. */
  readonly known: readonly ToolDefinition[]
  readonly toolChoice: ToolChoice | undefined
  readonly options: RequestOptions
  readonly limits: Pick<Limits, 'maxReply' | 'maxRetries' | 'modelTimeout' | 'idleTimeout'>
  readonly signal: AbortSignal
  /** Ends the delay before a retry. */
  readonly release: AbortSignal
  /** Retry even after part of a reply arrived. Its events cannot be taken back. */
  readonly retryReplies: boolean
  /**
   * Leave out images for a model that does not accept them. Default: send them, so the model
   * rejects the request.
   */
  readonly leaveOutImages?: boolean
  readonly telemetry: Telemetry
  readonly makeId: MakeId
  readonly emit: (event: ReplyEvent | WarningEvent) => void
  /** Returns a promise to await before emitting more events, if the reader is slow. */
  readonly whenRead?: () => Promise<void> | undefined
  /** Called with the prompt before it is sent. */
  readonly onPrompt?: (prompt: SentPrompt) => PromptStart
}

/** The relation of a prompt to earlier ones. */
interface PromptStart {
  /** The number of its messages that this process has already sent. */
  readonly sentBefore: number
  /** True if it continues the last prompt of its run, whichever process sent that. */
  readonly isContinued: boolean
}

const NEW_PROMPT: PromptStart = { sentBefore: 0, isContinued: false }

/** A reply and its prompt. */
export interface Reply {
  readonly prompt: SentPrompt
  readonly turn: Turn
  /** True if the server counted the tokens. */
  readonly isCounted: boolean
}

/**
 * Streams a reply from a model: renders the messages in the model's protocol, sends them, parses
 * the reply as it streams, and retries after transient errors. Failed replies are discarded
 * completely.
 */
export function requestReply(messages: readonly Message[], request: ReplyRequest): Promise<Reply> {
  return traceTurn(request, async () => {
    const { model, format, toolChoice, options, limits, signal } = request
    const warnings: Omit<WarningEvent, 'type'>[] = []
    const warn = (code: string, message: string): void => {
      warnings.push({ code, message })
      request.emit({ type: 'warning', code, message })
    }
    const prompt: SentPrompt = {
      messages: renderMessages(messages, request),
      tools: format.toolsIn === 'request' ? request.tools : [],
    }
    const start = request.onPrompt?.(prompt) ?? NEW_PROMPT
    const sent: ModelRequest = {
      messages: prompt.messages,
      ...(prompt.tools.length > 0 && { tools: prompt.tools, ...(toolChoice && { toolChoice }) }),
      ...requestFields(options),
      idleTimeout: limits.idleTimeout,
      ...(limits.modelTimeout !== undefined && { timeout: limits.modelTimeout }),
      signal,
    }
    checkRequest(model, sent, start.sentBefore)
    const reply = await streamReply(sent, request, warn)
    const dropped = start.isContinued ? undefined : droppedTokens(reply, model, prompt.messages)
    for (const [code, message] of replyWarnings(reply, dropped, request)) warn(code, message)
    const { prefill = '' } = options
    const written = reply.content + (reply.thoughts ?? '')
    return {
      prompt,
      turn: {
        ...reply,
        ...(prefill !== '' && { prefill }),
        usage: withCost(reply.usage ?? estimateUsage(prompt.messages, written), model.price),
        ...(warnings.length > 0 && { warnings }),
      },
      isCounted: reply.usage !== undefined && dropped === undefined,
    }
  })
}

/** Renders messages in the form in which they are sent to the model. */
export function renderMessages(
  messages: readonly Message[],
  {
    model,
    format,
    tools,
    toolChoice,
    options,
    leaveOutImages = false,
  }: Pick<ReplyRequest, 'model' | 'format' | 'tools' | 'toolChoice' | 'options' | 'leaveOutImages'>,
): readonly ChatMessage[] {
  const rendering: ChatRendering = {
    protocol: format.protocol,
    toolsIn: format.toolsIn,
    tools,
    toolChoice,
    roles: model.roles ?? ['system', 'tool'],
    laterSystem: model.laterSystem ?? false,
    resultRole: options.resultRole ?? 'user',
  }
  const chat = renderHistory(messages, rendering, { alternate: options.alternate ?? false })
  return leaveOutImages && !takesImages(model) ? withoutImages(chat) : chat
}

/** Streams a reply within its time limits and retries after transient errors. */
async function streamReply(
  sent: ModelRequest,
  request: ReplyRequest,
  warn: (code: string, message: string) => void,
): Promise<ParsedReply> {
  const { model, limits, release } = request
  const began = performance.now()
  let idle = 0
  let hasReplied = false
  const emit: ReplyRequest['emit'] = (event) => {
    hasReplied = true
    request.emit(event)
  }
  const observed = { ...request, emit }
  for (let attempt = 1; ; attempt++) {
    // Enforce the time limits even for a model that ignores its signal.
    const timed = startReply(sent, { name: model.name })
    let delay: number
    try {
      const chunks = model.reply({ ...sent, signal: timed.signal })
      const reply = await unlessAborted(timed.signal, parseReplyStream(chunks, timed, observed))
      if (reply.finish !== 'broken' || reply.segments.some(isCompleteCall)) return reply
      throw brokenError(model, reply)
    } catch (error) {
      sent.signal.throwIfAborted()
      if (!(error instanceof ModelError)) throw unknownError(model, error)
      if (error.problem === 'idle') idle++
      delay = delayAfter(error, attempt)
      const isHopeless =
        !error.isTransient ||
        (hasReplied && !request.retryReplies) ||
        idle > MAX_IDLE ||
        attempt > limits.maxRetries ||
        performance.now() - began + delay > MAX_TIME
      if (isHopeless) throw error
      release.throwIfAborted()
      warn(`model_${error.problem}`, `${error.message} Retrying in ${describeTime(delay)}.`)
    } finally {
      // Closes the connection to a model that sends too much or takes too long.
      timed.end()
    }
    await pause(delay, AbortSignal.any([sent.signal, release]))
  }
}

/** The total time for all attempts, in milliseconds. */
const MAX_TIME = 120_000

/** The maximum number of retries after a reply without output. */
const MAX_IDLE = 1

/** The delay requested by the server, or else exponential backoff with jitter. */
function delayAfter({ retryAfter }: ModelError, attempt: number): number {
  if (retryAfter !== undefined) return retryAfter
  return Math.min(500 * 2 ** (attempt - 1), 16_000) * (0.75 + Math.random() / 2)
}

function isCompleteCall(segment: ParsedReply['segments'][number]): boolean {
  return segment.type === 'call' && segment.call.complete
}

function brokenError({ name }: Model, { content }: ParsedReply): ModelError {
  return new ModelError(
    'garbled',
    `The reply of ${name} broke off after ${content.length} characters.`,
  )
}

function unknownError({ name }: Model, error: unknown): ModelError {
  const message = error instanceof Error ? error.message : String(error)
  return new ModelError('unavailable', `${name} failed: ${message}`, { cause: error })
}
