import type { ParserOptions, ToolDefinition } from '@toolglot/core'
import { renderChat } from '../../context/render-chat.ts'
import type { Message } from '../../context/message.ts'
import type { ChatMessage } from '../../model/chat-message.ts'
import { estimateUsage } from '../../model/token-counter.ts'
import { withCost } from '../../model/usage.ts'
import type { RunEventBody } from '../event.ts'
import type { LoopState } from '../loop/loop-state.ts'
import { askModel } from './ask-model.ts'
import { noPrompt, recordPrompt, restorePrompt, type SentPrompt } from './sent-prompt.ts'
import type { Turn } from './turn.ts'

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

/** Renders messages the way they are sent to the model. */
export function renderMessages(
  { model, format, options }: LoopState,
  messages: readonly Message[],
  tools: readonly ToolDefinition[],
): readonly ChatMessage[] {
  return renderChat(messages, {
    protocol: format.protocol,
    tools,
    roles: model.roles ?? ['system', 'tool'],
    resultRole: options.resultRole ?? 'user',
  })
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
  if (options.turn >= 0)
    state.prompt = sent ?? restorePrompt(turn.prompt ?? { shared: 0, messages: [] }, state.prompt)
  if (turn.tokenRatio !== undefined) state.counter.ratio = turn.tokenRatio
  return turn
}

async function askNow(
  state: LoopState,
  messages: readonly Message[],
  { key, turn, withTools, quiet = false }: AskTurnOptions,
  onSent: (prompt: SentPrompt) => void,
): Promise<Turn> {
  const { model, options, limits, format, signal, release, counter } = state
  const tools = withTools ? state.tools.definitions() : []
  const warnings: { readonly code: string; readonly message: string }[] = []
  const emit = (event: RunEventBody): void => {
    if (!quiet) state.emit(event)
  }
  const warn = (code: string, message: string): void => {
    warnings.push({ code, message })
    emit({ type: 'warning', code, message })
  }
  emit({ type: 'turn-start', turn })
  const chat = renderMessages(state, messages, tools)
  const sentTools = format.protocol === undefined && tools.length > 0 ? tools : []
  const parser: ParserOptions = {
    ...format.parserOptions,
    ...options.parser,
    tools: state.tools.known(),
    makeId: (index) => `${key.replaceAll('/', '-')}-${index}`,
  }
  const reply = await askModel(
    model,
    {
      messages: chat,
      ...(sentTools.length > 0 && { tools: sentTools }),
      ...(options.temperature !== undefined && { temperature: options.temperature }),
      ...(options.stop && { stop: options.stop }),
      signal,
    },
    {
      parser,
      maxLength: limits.maxReply,
      stopAtFirstCall: options.stopAtFirstCall ?? false,
      limits,
      release,
      emit,
      onRetry: (error, delay) => {
        release.throwIfAborted()
        warn(`model_${error.problem}`, `${error.message} Retrying in ${Math.ceil(delay / 1000)} s.`)
      },
    },
  )
  if (reply.usage && !quiet) counter.learn(chat, reply.usage)
  const counted = reply.usage ?? estimateUsage(chat, reply.content + (reply.thoughts ?? ''))
  const usage = withCost(counted, model.price)
  if (reply.finish === 'length')
    warn(
      'cut_off',
      `The reply of ${model.name} was cut off after ${reply.content.length} characters.`,
    )
  const prompt = { messages: chat, tools: sentTools }
  onSent(prompt)
  return {
    ...reply,
    usage,
    prompt: recordPrompt(prompt, quiet ? noPrompt : state.prompt),
    ...(warnings.length > 0 && { warnings }),
    ...(reply.usage && !quiet && { tokenRatio: counter.ratio }),
  }
}
