import type { Message } from '../../context/message.ts'
import { printKeyInId, type SummaryKey, type TurnKey } from '../../journal/keys.ts'
import { countImages } from '../../model/chat-message.ts'
import { estimateTokens } from '../../model/estimate-tokens.ts'
import { ModelError } from '../../model/model-error.ts'
import { promptChanged, type RunEventBody, turnStart } from '../event.ts'
import {
  checkFits,
  fitContext,
  restoreCompactions,
  shortenAfterOverflow,
  type Summarize,
} from './keep-in-context.ts'
import { offeredTools, toolChoiceIn } from './offered-tools.ts'
import type { LoopState } from '../state.ts'
import { learnsRefusal, leftOutWarning, takesImages } from './left-out-images.ts'
import { beginsCall } from './prefill.ts'
import type { PromptedTurn, Turn } from './recorded-turn.ts'
import type { RequestOptions } from './request-options.ts'
import { type ReplyRequest, requestReply } from './request-reply.ts'
import {
  noPrompt,
  type PromptChange,
  promptChange,
  type RecordedPrompt,
  recordPrompt,
  restorePrompt,
  type SentPrompt,
} from './sent-prompt.ts'

/** A turn of a run: the key of its record and its messages. */
export interface TurnRequest {
  readonly key: TurnKey
  /** If false, the model has to answer without tools. */
  readonly withTools: boolean
  /** Holds the messages, which are replaced with shorter ones if they do not fit. */
  readonly holder: { messages: readonly Message[] }
}

/**
 * Takes a turn, or returns the turn recorded under the key. Messages are shortened before they
 * exceed the model's context, and again if the server reports that they do. The journal keeps the
 * full messages. If they cannot be shortened enough, throws a ModelError, because some servers
 * would silently drop the beginning. All this depends only on records, so a resumed run behaves the
 * same.
 */
export async function takeTurn(state: LoopState, request: TurnRequest): Promise<Turn> {
  const summarize: Summarize = (key, content) =>
    recordTurn(state, [{ role: 'user', content }], {
      key: { ...key, type: 'summary' },
      withTools: false,
    })
  restoreCompactions(state, request)
  // For a recorded turn, all compactions before it are recorded too.
  if (!state.steps.has(request.key)) await fitContext(state, request, summarize)
  for (;;) {
    try {
      return await recordTurn(state, request.holder.messages, request)
    } catch (error) {
      if (!(error instanceof ModelError) || error.problem !== 'context_overflow') throw error
      await shortenAfterOverflow(error, state, request, summarize)
    }
    await checkFits(state, request)
  }
}

interface RecordRequest extends Pick<TurnRequest, 'withTools'> {
  readonly key: TurnKey | SummaryKey
}

/** Requests a reply and records it, with the difference between its prompt and the previous one. */
async function recordTurn(
  state: LoopState,
  messages: readonly Message[],
  { key, withTools }: RecordRequest,
): Promise<Turn> {
  const { model, counter, steps } = state
  // Summaries are not shown to people.
  const quiet = key.type === 'summary'
  // No other replies become part of the conversation.
  const number = quiet || key.final ? -1 : key.turn
  const emit = (event: RunEventBody): void => {
    if (!quiet) state.emit(event)
  }
  let sent: SentPrompt | undefined
  const turn = await steps.step(key, async (): Promise<PromptedTurn> => {
    emit(turnStart(key))
    let recorded: RecordedPrompt | undefined
    const request: ReplyRequest = {
      model,
      format: state.format,
      tools: withTools ? offeredTools(state).tools : [],
      known: state.tools.known(),
      toolChoice: withTools ? toolChoiceIn(state) : undefined,
      options: withTools ? optionsIn(state) : withoutCalls(state.options, quiet),
      limits: state.limits,
      signal: state.signal,
      release: state.release,
      retryReplies: true,
      leaveOutImages: true,
      telemetry: state.telemetry,
      makeId: (index, isNative) =>
        `${state.idPrefix}${printKeyInId(key)}-${index}${isNative ? '-native' : ''}`,
      emit,
      onPrompt(rendered) {
        recorded = recordPrompt(rendered, quiet ? noPrompt : state.prompt)
        const cause = quiet ? undefined : changeIn(state, rendered, recorded)
        if (cause) {
          recorded = { ...recorded, changed: cause }
          emit(promptChanged(key, cause))
        }
        const { shared } = recorded
        return { sentBefore: state.prompt.isRestored ? 0 : shared, isContinued: shared > 0 }
      },
    }
    const reply = await requestReply(messages, request).catch((error: unknown) => {
      if (!learnsRefusal(model, messages, error)) throw error
      return requestReply(messages, request)
    })
    sent = reply.prompt
    const warnings = [...(reply.turn.warnings ?? [])]
    const last = messages.at(-1)
    if (last?.role === 'user' && countImages(last.content) > 0 && !takesImages(model)) {
      const warning = { code: 'images_left_out', message: leftOutWarning(model) }
      warnings.push(warning)
      emit({ type: 'warning', ...warning })
    }
    const isLearned = reply.isCounted && !quiet
    if (isLearned) counter.learn(sent.messages, reply.turn.usage, tokensOfTools(sent))
    return {
      ...reply.turn,
      ...(warnings.length > 0 && { warnings }),
      prompt: recorded!,
      ...(isLearned && { tokenRatio: counter.ratio }),
    }
  })
  if (number >= 0) {
    const prompt = sent ?? {
      ...restorePrompt(turn.prompt, state.prompt),
      isRestored: true as const,
    }
    state.prompt = { ...prompt, reply: turn }
    state.isCompacted = false
    state.hadFinalTurn = false
  }
  if (turn.tokenRatio !== undefined) counter.ratio = turn.tokenRatio
  return turn
}

/** The approximate number of tokens of the tools in the request. */
function tokensOfTools({ tools }: SentPrompt): number {
  return tools.length === 0 ? 0 : estimateTokens(JSON.stringify(tools))
}

/**
 * The options for a turn without tools: leaves out options for calls, and for a summary also those
 * for answers.
 */
function withoutCalls(options: RequestOptions, isSummary: boolean): RequestOptions {
  const { prefill: _, grammar: __, stopAtFirstCall: ___, responseFormat, stop, ...others } = options
  return isSummary ? others : { ...others, responseFormat, stop }
}

/** A prefill that starts a call applies only until the first call, so that the model can answer. */
function optionsIn({ options, toolCalls, format }: LoopState): RequestOptions {
  if (!options.prefill || toolCalls === 0 || !beginsCall(options.prefill, format)) return options
  const { prefill: _, ...others } = options
  return others
}

/**
 * The reason why a prompt does not continue the previous one. Prompts rendered by a server's own
 * template are not compared.
 */
function changeIn(
  { prompt: before, isCompacted, hadFinalTurn, format }: LoopState,
  now: SentPrompt,
  { shared }: RecordedPrompt,
): PromptChange | undefined {
  if (format.toolsIn === 'request') return undefined
  // The last turn had no tools.
  if (hadFinalTurn) return 'tools'
  return promptChange(before, now, { shared, isCompacted })
}
