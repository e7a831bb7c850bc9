import type { ParserOptions, ToolDefinition } from '@toolglot/core'
import { renderChat } from '../../context/render-chat.ts'
import type { Message } from '../../context/message.ts'
import type { ChatMessage } from '../../model/chat-message.ts'
import { estimateUsage } from '../../model/token-counter.ts'
import { withCost } from '../../model/usage.ts'
import { askModel } from './ask-model.ts'
import type { RunEventBody } from '../event.ts'
import type { LoopState } from '../loop/loop-state.ts'
import type { Turn } from './turn.ts'

/** Options of `askTurn`. */
export interface AskTurnOptions {
  readonly key: string
  readonly turn: number
  /** If false, the model has to answer without tools. */
  readonly withTools: boolean
  /** Emits no events. */
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
export function askTurn(
  state: LoopState,
  messages: readonly Message[],
  { key, turn, withTools, quiet = false }: AskTurnOptions,
): Promise<Turn> {
  const { model, options, limits, format, signal, counter } = state
  const tools = withTools ? state.tools.definitions() : []
  const emit = (event: RunEventBody): void => {
    if (!quiet) state.emit(event)
  }
  return state.steps.step(key, async () => {
    emit({ type: 'turn-start', turn })
    const chat = renderMessages(state, messages, tools)
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
        ...(format.protocol === undefined && tools.length > 0 && { tools }),
        ...(options.temperature !== undefined && { temperature: options.temperature }),
        ...(options.stop && { stop: options.stop }),
        signal,
      },
      {
        parser,
        maxLength: limits.maxReply,
        stopAtFirstCall: options.stopAtFirstCall ?? false,
        limits,
        emit,
        onRetry: (error, delay) =>
          emit({
            type: 'warning',
            code: `model_${error.problem}`,
            message: `${error.message} Retrying in ${Math.ceil(delay / 1000)} s.`,
          }),
      },
    )
    if (reply.usage) counter.learn(chat, reply.usage)
    const counted = reply.usage ?? estimateUsage(chat, reply.content + (reply.thoughts ?? ''))
    const usage = withCost(counted, model.price)
    if (reply.finish === 'length')
      emit({
        type: 'warning',
        code: 'cut_off',
        message: `The reply of ${model.name} was cut off after ${reply.content.length} characters.`,
      })
    emit({ type: 'turn-end', turn, usage })
    return { ...reply, usage }
  })
}
