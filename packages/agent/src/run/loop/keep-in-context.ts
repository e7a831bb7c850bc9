import {
  compact,
  type Compacted,
  compactionTarget,
  historyLimit,
  historyTokens,
  needsCompaction,
} from '../../context/compact.ts'
import type { Message } from '../../context/message.ts'
import { isSummary } from '../../context/summary.ts'
import { untrustedTexts } from '../../context/untrusted-texts.ts'
import type { ChatMessage } from '../../model/chat-message.ts'
import { estimateTokens } from '../../model/estimate-tokens.ts'
import { ModelError } from '../../model/model-error.ts'
import { addUsage, noUsage, type Usage } from '../../model/usage.ts'
import { renderMessages } from '../turn/ask.ts'
import { askTurn, toolChoiceIn } from '../turn/ask-turn.ts'
import type { LoopState } from './loop-state.ts'
import { offeredTools } from './offered-tools.ts'
import { type Turn, visibleText } from '../turn/recorded-turn.ts'

/**
 * Shortens the history before it exceeds the model's context. The journal keeps all of it. Throws a ModelError if what is left
 * is too long: some servers would silently drop its beginning.
 */
export async function keepInContext(state: LoopState, turn: number): Promise<void> {
  const { model, steps } = state
  const { contextTokens } = model
  const key = `compact/${turn}`
  if (steps.has(key)) await shorten(state, key, NO_ROOM)
  // What was done before a recorded turn is recorded, too.
  if (steps.has(`turn/${turn}`) || contextTokens === undefined) return
  const room = historyRoom(state, contextTokens)
  if (!steps.has(key) && room !== undefined) await shorten(state, key, room)
  await checkFits(state, contextTokens)
}

/** How many tokens a history should have, and how many it may have. */
interface Room {
  readonly maxTokens: number
  readonly limit: number
}

/** What the history is shortened to; undefined if it can stay as it is. */
function historyRoom(state: LoopState, contextTokens: number): Room | undefined {
  const tokens = promptTokens(state)
  if (!needsCompaction(tokens, contextTokens)) return undefined
  const history = historyTokens(state.messages, { count: counting(state) })
  const overhead = tokens - history
  const limit = historyLimit(contextTokens, overhead)
  if (history <= limit) return undefined
  return { maxTokens: compactionTarget(contextTokens, overhead), limit }
}

async function checkFits(state: LoopState, contextTokens: number): Promise<void> {
  const { model, counter, signal } = state
  if (promptTokens(state) <= contextTokens * CLOSE) return
  const inMessages = await counter.count(rendered(state), signal)
  const tokens = inMessages.tokens + requestTokens(state)
  if (tokens <= contextTokens) return
  const about = inMessages.estimated ? 'about ' : ''
  throw new ModelError(
    'context_overflow',
    `The prompt has ${about}${tokens} tokens, ${describeParts(state)}, but the context of ${model.name} has ${contextTokens}: it was not sent.`,
  )
}

/** Below this share of the context, an estimate is good enough. */
const CLOSE = 0.8

/** What a prompt consists of, so that people know what to shorten. */
function describeParts(state: LoopState): string {
  const count = counting(state)
  const { messages } = state
  const system = historyTokens(
    messages.filter(({ role }) => role === 'system'),
    { count },
  )
  const rest = historyTokens(messages, { count }) - system
  const tools = Math.ceil(offeredTools(state).tokens * state.counter.ratio)
  return `of which the system prompt has ${system}, the tools ${tools} and the conversation ${rest}`
}

/** Repeats what was recorded after an overflow of the context in this turn. False if there was none. */
export async function shortenAsRecorded(state: LoopState, turn: number): Promise<boolean> {
  const key = `compact/${turn}/again`
  return state.steps.has(key) && shorten(state, key, NO_ROOM)
}

/** Halves the history after the context overflowed; rethrows the error if it cannot be shortened. */
export async function shortenAfterOverflow(
  error: ModelError,
  state: LoopState,
  turn: number,
): Promise<void> {
  const { model, messages } = state
  const tokens = promptTokens(state)
  const history = historyTokens(messages, { count: counting(state) })
  const overhead = tokens - history
  const maxTokens = Math.min(tokens, model.contextTokens ?? Infinity) / 2 - overhead
  const room = Math.floor(Math.max(maxTokens, history / 4))
  const isShorter = await shorten(state, `compact/${turn}/again`, { maxTokens: room, limit: room })
  if (!isShorter) throw error
}

/** About how many tokens the next turn would send. */
function promptTokens(state: LoopState): number {
  return state.counter.estimate(rendered(state)) + requestTokens(state)
}

/** About how many tokens the tools take that are sent beside the messages. */
function requestTokens(state: LoopState): number {
  const { format, counter } = state
  return format.toolsIn === 'request' ? Math.ceil(offeredTools(state).tokens * counter.ratio) : 0
}

/** Counts tokens as the server does, as far as that is known. */
function counting({ counter }: LoopState): (text: string) => number {
  return (text) => Math.ceil(estimateTokens(text) * counter.ratio)
}

/** The messages as the next turn would send them. */
function rendered(state: LoopState): readonly ChatMessage[] {
  const { model, format, options, messages } = state
  return renderMessages(messages, {
    model,
    format,
    options,
    tools: offeredTools(state).tools,
    toolChoice: toolChoiceIn(state),
  })
}

/** For a compaction that was recorded. */
const NO_ROOM: Room = { maxTokens: 0, limit: 0 }

/** A compaction as recorded in the journal. */
export interface Compaction extends Compacted {
  /** What the summary took. Missing in records of version 0.1. */
  readonly usage?: Usage
}

async function shorten(state: LoopState, key: string, room: Room): Promise<boolean> {
  const { steps, todos, format } = state
  const { messages, before, after, how, usage } = await steps.step<Compaction>(key, async () => {
    let usage = noUsage
    const done = await compact(state.messages, {
      ...room,
      minTurns: 1,
      todos,
      protocol: format.protocol,
      count: counting(state),
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
