import { compact, compactionTarget, needsCompaction } from '../../context/compact.ts'
import type { Message } from '../../context/message.ts'
import { isSummary } from '../../context/summary.ts'
import { ModelError } from '../../model/model-error.ts'
import { addUsage } from '../../model/usage.ts'
import { askTurn, renderMessages } from '../turn/ask-turn.ts'
import type { LoopState } from './loop-state.ts'
import { visibleText } from '../turn/turn.ts'

/** Shortens the history before it exceeds the model's context. The journal keeps all of it. */
export async function keepInContext(state: LoopState, turn: number): Promise<void> {
  const { model, counter } = state
  const { contextTokens } = model
  if (contextTokens === undefined) return
  const tokens = counter.estimate(renderMessages(state, state.messages, state.tools.definitions()))
  if (!needsCompaction(tokens, contextTokens)) return
  await shorten(state, `compact/${turn}`, compactionTarget(contextTokens))
}

/** Halves the history after the context overflowed; rethrows the error if it cannot be shortened. */
export async function shortenAfterOverflow(
  error: ModelError,
  state: LoopState,
  turn: number,
): Promise<void> {
  const { counter, messages, tools, model } = state
  const tokens = counter.estimate(renderMessages(state, messages, tools.definitions()))
  const maxTokens = Math.min(tokens, model.contextTokens ?? Infinity) / 2
  if (!(await shorten(state, `compact/${turn}/again`, Math.floor(maxTokens)))) throw error
}

async function shorten(state: LoopState, key: string, maxTokens: number): Promise<boolean> {
  const { steps, emit, todos, format } = state
  const { messages, before, after, how } = await steps.step(key, async () => {
    const done = await compact(state.messages, {
      maxTokens,
      todos,
      protocol: format.protocol,
      summarize: (request) => summarize(state, `${key}/summary`, request),
    })
    emit({ type: 'compacted', before: done.before, after: done.after })
    if (done.problem !== undefined)
      emit({ type: 'warning', code: 'no_summary', message: done.problem })
    return done
  })
  state.messages = messages
  // A summary of untrusted text is untrusted too.
  for (const message of messages)
    if (message.role === 'user' && isSummary(message)) state.untrustedTexts.push(message.content)
  return how !== 'nothing' && after < before
}

/** Asks the model for a summary, without tools. */
async function summarize(state: LoopState, key: string, request: string): Promise<string> {
  const messages: Message[] = [{ role: 'user', content: request }]
  const turn = await askTurn(state, messages, { key, turn: -1, withTools: false, quiet: true })
  state.usage = addUsage(state.usage, turn.usage)
  return visibleText(turn)
}
