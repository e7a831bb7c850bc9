import type { ToolDefinition } from '@toolglot/core'
import type { ChatRendering } from '../../context/chat-rendering.ts'
import type { Message } from '../../context/message.ts'
import { renderHistory } from '../../context/render-chat.ts'
import type { Limits } from '../../limits.ts'
import type { ChatMessage } from '../../model/chat-message.ts'
import type { Model, ToolChoice } from '../../model/model.ts'
import { estimateMessageTokens, estimateUsage } from '../../model/token-counter.ts'
import { withCost } from '../../model/usage.ts'
import { describeTime } from '../../time/describe-time.ts'
import { askModel, type AskModelOptions } from './ask-model.ts'
import { calledInText } from './called-in-text.ts'
import { missedChoice } from './missed-choice.ts'
import type { CallFormat } from './call-format.ts'
import { takesImages, withoutImages } from './left-out-images.ts'
import type { MakeId } from './call-ids.ts'
import type { ParsedReply, ReplyEvent } from './parse-reply-stream.ts'
import { requestFields, type RequestOptions } from './request-options.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'
import { traceTurn } from '../telemetry/trace-turn.ts'
import type { SentPrompt } from './sent-prompt.ts'
import { callsOf, type Turn } from './recorded-turn.ts'

/** A warning, as an event. */
export interface WarningEvent {
  readonly type: 'warning'
  readonly code: string
  readonly message: string
}

/** What is needed to ask a model for a turn. */
export interface AskOptions {
  readonly model: Model
  readonly format: CallFormat
  /** The tools that the model is told about. */
  readonly tools: readonly ToolDefinition[]
  /** The tools that the parser knows: aliases included. */
  readonly known: readonly ToolDefinition[]
  readonly toolChoice: ToolChoice | undefined
  readonly options: RequestOptions
  readonly limits: Pick<Limits, 'maxReply' | 'maxRetries' | 'modelTimeout' | 'idleTimeout'>
  readonly signal: AbortSignal
  /** Ends the wait before another attempt. */
  readonly release: AbortSignal
  /** Whether to ask again after part of a reply came. Its events cannot be taken back. */
  readonly retryReplies: boolean
  /** Whether images are left out for a model that takes none. Default: the model refuses them. */
  readonly leaveOutImages?: boolean
  readonly telemetry: Telemetry
  readonly makeId: MakeId
  readonly emit: (event: ReplyEvent | WarningEvent) => void
  /** A promise to await before more events are emitted, if they are read slowly. */
  readonly whenRead?: () => Promise<void> | undefined
  /** Called with the prompt before it is sent. */
  readonly onPrompt?: (prompt: SentPrompt) => PromptStart
}

/** How a prompt begins. */
export interface PromptStart {
  /** How many of its messages this process has sent already. */
  readonly sentBefore: number
  /** Whether it continues the last prompt of its run, whichever process sent that. */
  readonly isContinued: boolean
}

const NEW_PROMPT: PromptStart = { sentBefore: 0, isContinued: false }

/** What a model replied, and what it was sent. */
export interface Asked {
  readonly prompt: SentPrompt
  readonly turn: Omit<Turn, 'prompt'>
  /** Whether the server counted the tokens. */
  readonly isCounted: boolean
}

/** Renders messages the way they are sent to the model. */
export function renderMessages(
  messages: readonly Message[],
  {
    model,
    format,
    tools,
    toolChoice,
    options,
    leaveOutImages = false,
  }: Pick<AskOptions, 'model' | 'format' | 'tools' | 'toolChoice' | 'options' | 'leaveOutImages'>,
): readonly ChatMessage[] {
  const rendering: ChatRendering = {
    protocol: format.protocol,
    toolsIn: format.toolsIn,
    tools,
    ...(toolChoice && { toolChoice }),
    roles: model.roles ?? ['system', 'tool'],
    laterSystem: model.laterSystem ?? false,
    resultRole: options.resultRole ?? 'user',
  }
  const chat = renderHistory(messages, rendering, { alternate: options.alternate ?? false })
  return leaveOutImages && !takesImages(model) ? withoutImages(chat) : chat
}

/** Asks a model for one turn, in its own protocol, and parses its reply while it streams. */
export function ask(messages: readonly Message[], asking: AskOptions): Promise<Asked> {
  return traceTurn(asking.telemetry, asking, () => askNow(messages, asking))
}

async function askNow(messages: readonly Message[], asking: AskOptions): Promise<Asked> {
  const { model, format, tools, toolChoice, options, limits, signal, release, emit } = asking
  const warnings: Omit<WarningEvent, 'type'>[] = []
  const warn = (code: string, message: string): void => {
    warnings.push({ code, message })
    emit({ type: 'warning', code, message })
  }
  const chat = renderMessages(messages, asking)
  const sentTools = format.toolsIn === 'request' ? tools : []
  const prompt: SentPrompt = { messages: chat, tools: sentTools }
  const { sentBefore, isContinued } = asking.onPrompt?.(prompt) ?? NEW_PROMPT
  const { prefill = '' } = options
  const parser: AskModelOptions['parser'] = {
    ...format.parserOptions,
    ...options.parser,
    ...(prefill !== '' && { prefix: prefill }),
    tools: asking.known,
    makeId: asking.makeId,
  }
  const reply = await askModel(
    model,
    {
      messages: chat,
      ...(sentTools.length > 0 && { tools: sentTools, ...(toolChoice && { toolChoice }) }),
      ...requestFields(options),
      signal,
    },
    {
      parser,
      maxLength: limits.maxReply,
      stopAtFirstCall: options.stopAtFirstCall ?? false,
      limits,
      release,
      retryReplies: asking.retryReplies,
      sentBefore,
      emit,
      ...(asking.whenRead && { whenRead: asking.whenRead }),
      onRetry: (error, delay) => {
        release.throwIfAborted()
        warn(`model_${error.problem}`, `${error.message} Retrying in ${describeTime(delay)}.`)
      },
    },
  )
  const counted = reply.usage ?? estimateUsage(chat, reply.content + (reply.thoughts ?? ''))
  const called = tools.length > 0 ? calledOutsideCalls(reply, asking.known) : undefined
  if (reply.finish === 'length')
    warn(
      'cut_off',
      `The reply of ${model.name} was cut off after ${reply.content.length} characters${called === undefined ? '' : `, inside what looks like a call of ${called}: it was not run`}.`,
    )
  else if (called !== undefined)
    warn(
      'call_left_as_text',
      `${model.name} wrote what looks like a call of ${called}, but not in a way that counts as one: it was left as text.`,
    )
  const dropped = isContinued ? undefined : droppedTokens(model, reply.usage, chat)
  if (dropped !== undefined)
    warn(
      'prompt_dropped',
      `${model.name} has read only ${reply.usage!.input} of about ${dropped} tokens: its server has dropped the rest, since its context is smaller than it says.${model.contextAdvice === undefined ? '' : ` ${model.contextAdvice}`}`,
    )
  const missed = missedChoice(toolChoice, callsOf(reply))
  if (missed !== undefined) warn('tool_choice', `${model.name} ${missed}`)
  return {
    prompt,
    turn: {
      ...reply,
      ...(prefill !== '' && { prefill }),
      usage: withCost(counted, model.price),
      ...(warnings.length > 0 && { warnings }),
    },
    isCounted: reply.usage !== undefined && dropped === undefined,
  }
}

/**
 * About how many tokens were sent, if the server has read less than half of them, although its context has room for all of
 * them; otherwise undefined. Only for the first prompt: of later ones, some servers count only what is new.
 */
function droppedTokens(
  { contextTokens }: Model,
  usage: ParsedReply['usage'],
  sent: readonly ChatMessage[],
): number | undefined {
  if (contextTokens === undefined || !usage || usage.estimated) return undefined
  const tokens = estimateMessageTokens(sent)
  return usage.input >= MIN_CONTEXT && usage.input < tokens / 2 ? tokens : undefined
}

/** No server has a smaller context, so it must have counted something else. */
const MIN_CONTEXT = 512

/** The tool that the text besides the calls seems to call; of a reply that was cut off, only its end counts. */
function calledOutsideCalls(
  { content, segments, finish }: ParsedReply,
  known: readonly ToolDefinition[],
): string | undefined {
  const texts = segments.map(({ type, span }) => (type === 'text' ? content.slice(...span) : ''))
  const text = finish === 'length' ? texts.at(-1) : texts.join('\n')
  return calledInText(
    text ?? '',
    known.map(({ name }) => name),
  )
}
