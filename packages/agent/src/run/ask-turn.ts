import type { ParserOptions } from '@toolglot/core'
import { drawChat } from '../context/draw-chat.ts'
import type { Message } from '../context/message.ts'
import { costOf, estimateUsage } from '../model/spent.ts'
import { askModel } from './ask-model.ts'
import type { State } from './state.ts'
import type { Turn } from './turn.ts'

/** One turn of the model, recorded under a key. `withTools` false: it is to answer without. */
export function askTurn(
  state: State,
  messages: readonly Message[],
  {
    key,
    turn,
    withTools,
  }: { readonly key: string; readonly turn: number; readonly withTools: boolean },
): Promise<Turn> {
  const { model, options, limits, registry, speech, signal, emit } = state
  const tools = withTools ? registry.definitions() : []
  return state.steps.step(key, async () => {
    emit({ type: 'turn-start', turn })
    const { protocol } = speech
    const chat = drawChat(messages, {
      protocol,
      tools,
      roles: model.roles ?? ['system', 'tool'],
      resultRole: options.resultRole ?? 'user',
    })
    const parser: ParserOptions = {
      ...speech.reads,
      ...options.parser,
      tools: registry.definitions(),
      makeId: (index) => `${key.replace('/', '-')}-${index}`,
    }
    const read = await askModel(
      model,
      {
        messages: chat,
        ...(protocol === undefined && tools.length > 0 && { tools }),
        ...(options.temperature !== undefined && { temperature: options.temperature }),
        ...(options.stop && { stop: options.stop }),
        signal,
      },
      {
        parser,
        most: limits.maxReply,
        stopAtFirstCall: options.stopAtFirstCall ?? false,
        limits,
        emit,
        onRetry: (error, wait) =>
          emit({
            type: 'warning',
            code: `model_${error.problem}`,
            message: `${error.message} Asking again in ${Math.ceil(wait / 1000)} s.`,
          }),
      },
    )
    const counted = read.usage ?? estimateUsage(chat, read.content + (read.thoughts ?? ''))
    const usage = costOf(counted, model.price)
    emit({ type: 'turn-end', turn, usage })
    return { ...read, usage }
  })
}
