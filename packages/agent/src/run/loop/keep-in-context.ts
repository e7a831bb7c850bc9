import {
  compact,
  type Compacted,
  compactionTarget,
  needsCompaction,
} from '../../context/compact.ts'
import type { Message } from '../../context/message.ts'
import { isSummary } from '../../context/summary.ts'
import { untrustedTexts } from '../../context/untrusted-texts.ts'
import type { ChatMessage } from '../../model/chat-message.ts'
import { ModelError } from '../../model/model-error.ts'
import { addUsage, noUsage, type Usage } from '../../model/usage.ts'
import { renderMessages } from '../turn/ask.ts'
import { askTurn, toolChoiceIn } from '../turn/ask-turn.ts'
import type { LoopState } from './loop-state.ts'
import { type Turn, visibleText } from '../turn/recorded-turn.ts'

/** Shortens the history before it exceeds the model's context. The journal keeps all of it. */
export async function keepInContext(state: LoopState, turn: number): Promise<void> {
  const { model, counter, steps } = state
  const { contextTokens } = model
  const key = `compact/${turn}`
  if (steps.has(key)) await shorten(state, key, 0)
  // What was done before a recorded turn is recorded, too.
  if (steps.has(key) || steps.has(`turn/${turn}`) || contextTokens === undefined) return
  const tokens = counter.estimate(rendered(state))
  if (!needsCompaction(tokens, contextTokens)) return
  await shorten(state, key, compactionTarget(contextTokens))
}

/** Repeats what was recorded after an overflow of the context in this turn. False if there was none. */
export async function shortenAsRecorded(state: LoopState, turn: number): Promise<boolean> {
  const key = `compact/${turn}/again`
  return state.steps.has(key) && shorten(state, key, 0)
}

/** Halves the history after the context overflowed; rethrows the error if it cannot be shortened. */
export async function shortenAfterOverflow(
  error: ModelError,
  state: LoopState,
  turn: number,
): Promise<void> {
  const { counter, model } = state
  const tokens = counter.estimate(rendered(state))
  const maxTokens = Math.min(tokens, model.contextTokens ?? Infinity) / 2
  if (!(await shorten(state, `compact/${turn}/again`, Math.floor(maxTokens)))) throw error
}

/** The messages as the next turn would send them. */
function rendered(state: LoopState): readonly ChatMessage[] {
  const { model, format, options, tools, messages } = state
  return renderMessages(messages, {
    model,
    format,
    options,
    tools: tools.definitions(),
    toolChoice: toolChoiceIn(state),
  })
}

/** A compaction as recorded in the journal. */
export interface Compaction extends Compacted {
  /** What the summary took. Missing in records of version 0.1. */
  readonly usage?: Usage
}

async function shorten(state: LoopState, key: string, maxTokens: number): Promise<boolean> {
  const { steps, todos, format } = state
  const { messages, before, after, how, usage } = await steps.step<Compaction>(key, async () => {
    let usage = noUsage
    const done = await compact(state.messages, {
      maxTokens,
      todos,
      protocol: format.protocol,
      async summarize(request) {
        const turn = await askForSummary(state, `${key}/summary`, request)
        usage = turn.usage
        return visibleText(turn)
      },
    })
    return { ...done, usage }
  })
  // A resumed run comes here twice, if what was recorded did not help.
  if (usage && !state.countedSummaries.has(key)) state.usage = addUsage(state.usage, usage)
  state.countedSummaries.add(key)
  state.isCompacted ||= how !== 'nothing'
  state.messages = messages
  // A summary of untrusted text is untrusted too.
  for (const message of messages)
    if (isSummary(message)) state.untrustedTexts.push(...untrustedTexts(message))
  return how !== 'nothing' && after < before
}

/** Asks the model for a summary, without tools. */
function askForSummary(state: LoopState, key: string, request: string): Promise<Turn> {
  const messages: Message[] = [{ role: 'user', content: request }]
  return askTurn(state, messages, { key, turn: -1, withTools: false, quiet: true })
}
