import type { Message } from '../../context/message.ts'
import { countImages } from '../../model/content.ts'
import { estimateTokens } from '../../model/estimate-tokens.ts'
import type { ToolChoice } from '../../model/model.ts'
import type { RunEventBody } from '../event.ts'
import type { LoopState } from '../loop/loop-state.ts'
import { offeredTools } from '../loop/offered-tools.ts'
import { ask, type AskOptions } from './ask.ts'
import { beginsCall } from './check-prefill.ts'
import { learnsRefusal, leftOutWarning, takesImages } from './left-out-images.ts'
import type { RequestOptions } from './request-options.ts'
import {
  noPrompt,
  type PromptChange,
  promptChange,
  type RecordedPrompt,
  recordPrompt,
  restorePrompt,
  type SentPrompt,
} from './sent-prompt.ts'
import type { Turn } from './recorded-turn.ts'

/** Options of `askTurn`. */
export interface AskTurnOptions {
  readonly key: string
  /** The number of the turn; -1 if the conversation does not continue from it. */
  readonly turn: number
  /** If false, the model has to answer without tools. */
  readonly withTools: boolean
  /** It is not part of the conversation: it emits no events. */
  readonly quiet?: boolean
}

/** Asks the model for one turn, or returns the one that was recorded under the key. */
export async function askTurn(
  state: LoopState,
  messages: readonly Message[],
  options: AskTurnOptions,
): Promise<Turn> {
  let sent: SentPrompt | undefined
  const turn = await state.steps.step(options.key, () =>
    askNow(state, messages, options, (prompt) => (sent = prompt)),
  )
  if (options.turn >= 0) {
    const prompt =
      sent ??
      (turn.prompt && { ...restorePrompt(turn.prompt, state.prompt), isRestored: true as const })
    // Version 0.1 did not record prompts, so it is unknown whether the next one continues it.
    state.prompt = prompt ? { ...prompt, reply: turn } : noPrompt
    state.isCompacted = false
    state.hadFinalTurn = false
  }
  if (turn.tokenRatio !== undefined) state.counter.ratio = turn.tokenRatio
  return turn
}

async function askNow(
  state: LoopState,
  messages: readonly Message[],
  { key, turn: number, withTools, quiet = false }: AskTurnOptions,
  onSent: (prompt: SentPrompt) => void,
): Promise<Turn> {
  const { model, options, limits, format, signal, release, counter, tools } = state
  const emit = (event: RunEventBody): void => {
    if (!quiet) state.emit(event)
  }
  emit({ type: 'turn-start', turn: number })
  let recorded: RecordedPrompt | undefined
  const asking: AskOptions = {
    model,
    format,
    tools: withTools ? offeredTools(state).tools : [],
    known: tools.known(),
    toolChoice: withTools ? toolChoiceIn(state) : undefined,
    options: withTools ? optionsIn(state) : withoutCalls(options, quiet),
    limits,
    signal,
    release,
    retryReplies: true,
    leaveOutImages: true,
    telemetry: state.telemetry,
    makeId: (index, isNative) =>
      `${state.idPrefix}${key.replaceAll('/', '-')}-${index}${isNative ? '-native' : ''}`,
    emit,
    onPrompt(rendered) {
      recorded = recordPrompt(rendered, quiet ? noPrompt : state.prompt)
      const cause = quiet ? undefined : changeIn(state, rendered, recorded)
      if (cause) {
        recorded = { ...recorded, changed: cause }
        emit({ type: 'prompt-changed', turn: number, cause })
      }
      const { shared } = recorded
      return { sentBefore: state.prompt.isRestored ? 0 : shared, isContinued: shared > 0 }
    },
  }
  const { prompt, turn, isCounted } = await ask(messages, asking).catch((error: unknown) => {
    if (!learnsRefusal(model, messages, error)) throw error
    return ask(messages, asking)
  })
  const last = messages.at(-1)
  const warnings = [...(turn.warnings ?? [])]
  if (last?.role === 'user' && countImages(last.content) > 0 && !takesImages(model)) {
    const message = leftOutWarning(model)
    warnings.push({ code: 'images_left_out', message })
    emit({ type: 'warning', code: 'images_left_out', message })
  }
  const isLearned = isCounted && !quiet
  if (isLearned) counter.learn(prompt.messages, turn.usage, tokensOfTools(prompt))
  onSent(prompt)
  return {
    ...turn,
    ...(warnings.length > 0 && { warnings }),
    prompt: recorded!,
    ...(isLearned && { tokenRatio: counter.ratio }),
  }
}

/** About how many tokens the tools take that were sent with the request. */
function tokensOfTools({ tools }: SentPrompt): number {
  return tools.length === 0 ? 0 : estimateTokens(JSON.stringify(tools))
}

/** The options for a turn without tools: what shapes calls is left out; and for a summary, what shapes answers. */
function withoutCalls(options: RequestOptions, isSummary: boolean): RequestOptions {
  const { prefill: _, grammar: __, stopAtFirstCall: ___, responseFormat, stop, ...others } = options
  return {
    ...others,
    ...(!isSummary && responseFormat && { responseFormat }),
    ...(!isSummary && stop && { stop }),
  }
}

/** A prefill that begins a call applies until the first call, so that the model can answer. */
function optionsIn({ options, toolCalls, format }: LoopState): RequestOptions {
  if (!options.prefill || toolCalls === 0 || !beginsCall(options.prefill, format)) return options
  const { prefill: _, ...others } = options
  return others
}

/** A call that must be made is made once: then the model is free to answer. */
export function toolChoiceIn({
  options: { toolChoice },
  toolCalls,
}: LoopState): ToolChoice | undefined {
  return toolChoice === 'none' || toolCalls === 0 ? toolChoice : undefined
}

/** Prompts that a server draws with its own template are not ours to keep. */
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
