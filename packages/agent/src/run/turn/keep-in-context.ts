import {
  compact,
  type Compacted,
  compactionTarget,
  hasShortResults,
  historyLimit,
  historyTokens,
  needsCompaction,
} from '../../context/compact.ts'
import { isSummary, untrustedTexts } from '../../context/summary.ts'
import { type CompactionKey, printKey, type TurnKey } from '../../journal/keys.ts'
import type { ChatMessage } from '../../model/chat-message.ts'
import { estimateTokens } from '../../model/estimate-tokens.ts'
import { ModelError } from '../../model/model-error.ts'
import { addUsage, noUsage, type Usage } from '../../model/usage.ts'
import { isInput, type RecordedCompaction } from '../resume/history.ts'
import { type Turn, visibleText } from './recorded-turn.ts'
import { renderMessages } from './request-reply.ts'
import type { TurnRequest } from './take-turn.ts'
import type { LoopState } from '../state.ts'
import { offeredTools, toolChoiceIn } from './offered-tools.ts'

/** Requests a summary for a compaction from the model, without tools, and records it. */
export type Summarize = (key: CompactionKey, request: string) => Promise<Turn>

/** True if the compaction was made before this turn. */
function isOf(compaction: CompactionKey, { turn, final }: TurnKey): boolean {
  return compaction.turn === turn && compaction.final === final
}

/** A compaction, as recorded in the journal. */
export interface Compaction extends Compacted {
  /** The usage for the summary. */
  readonly usage: Usage
}

/** Repeats the recorded compactions. Messages added after a compaction stay. */
export function restoreCompactions(state: LoopState, request: TurnRequest): void {
  for (const compaction of state.compactions.values()) {
    const { key, value } = compaction
    if (!isOf(key, request.key) || !value) continue
    apply(state, request, value, messagesAfter(state, compaction))
    // The usage of last turns without tools is included from the start.
    if (!request.key.final) state.usage = addUsage(state.usage, value.usage)
  }
}

/** The number of messages that arrived for the turn after the compaction. */
function messagesAfter({ arrivals }: LoopState, compaction: RecordedCompaction): number {
  const { final, turn: of } = compaction.key
  return arrivals
    .slice(compaction.arrivals)
    .filter(({ turn }) => !final && turn === of)
    .reduce((sum, each) => sum + (isInput(each) && each.said !== undefined ? 2 : 1), 0)
}

function apply(
  state: LoopState,
  { holder }: TurnRequest,
  { messages, how }: Compaction,
  after: number,
): void {
  const rest = after === 0 ? [] : holder.messages.slice(-after)
  holder.messages = [...messages, ...rest]
  state.isCompacted ||= how !== 'nothing'
  // The model can still read the truncated results.
  if (hasShortResults(messages)) state.tools.offerReadMore()
  // A summary of untrusted text is also untrusted.
  for (const message of messages)
    if (isSummary(message)) state.untrustedTexts.push(...untrustedTexts(message))
}

/** Shortens the messages if there is not enough space left for a reply. */
export async function fitContext(
  state: LoopState,
  request: TurnRequest,
  summarize: Summarize,
): Promise<void> {
  const room = roomFor(state, request)
  if (room && attempts(state, request).length === 0) await shorten(state, request, room, summarize)
  await checkFits(state, request)
}

/** The compactions since the last message arrived. */
function attempts(state: LoopState, { key }: TurnRequest): readonly Compaction[] {
  return [...state.compactions.values()].flatMap((each) =>
    isOf(each.key, key) && each.value && messagesAfter(state, each) === 0 ? [each.value] : [],
  )
}

/** The target size and the maximum size of the messages, in tokens. */
interface Room {
  readonly maxTokens: number
  readonly limit: number
}

/** The sizes to which the messages must be shortened, or undefined if they fit. */
function roomFor(state: LoopState, request: TurnRequest): Room | undefined {
  const { contextTokens } = state.model
  if (contextTokens === undefined) return undefined
  const tokens = promptTokens(state, request)
  if (!needsCompaction(tokens, contextTokens)) return undefined
  const history = historyTokens(request.holder.messages, { count: counting(state) })
  const overhead = tokens - history
  const limit = historyLimit(contextTokens, overhead)
  if (history <= limit) return undefined
  return { maxTokens: compactionTarget(contextTokens, overhead), limit }
}

export async function checkFits(state: LoopState, request: TurnRequest): Promise<void> {
  const { model, counter, signal } = state
  const { contextTokens } = model
  if (contextTokens === undefined || promptTokens(state, request) <= contextTokens * CLOSE) return
  const inMessages = await counter.count(rendered(state, request), signal)
  const tokens = inMessages.tokens + requestTokens(state, request)
  if (tokens <= contextTokens) return
  const about = inMessages.estimated ? 'about ' : ''
  throw new ModelError(
    'context_overflow',
    `The prompt has ${about}${tokens} tokens, ${describeParts(state, request)}, but the context of ${model.name} has ${contextTokens}: it was not sent.`,
  )
}

/** Below this share of the context, an estimate is accurate enough. */
const CLOSE = 0.8

/** Describes the parts of a prompt, so that the user can decide which one to shorten. */
function describeParts(state: LoopState, { holder: { messages }, withTools }: TurnRequest): string {
  const count = counting(state)
  const system = historyTokens(
    messages.filter(({ role }) => role === 'system'),
    { count },
  )
  const rest = historyTokens(messages, { count }) - system
  const tools = withTools ? Math.ceil(offeredTools(state).tokens * state.counter.ratio) : 0
  return `of which the system prompt has ${system}, the tools ${tools} and the conversation ${rest}`
}

/**
 * Halves the messages after the context has overflowed. Rethrows the error if they cannot be
 * shortened.
 */
export async function shortenAfterOverflow(
  error: ModelError,
  state: LoopState,
  request: TurnRequest,
  summarize: Summarize,
): Promise<void> {
  const before = attempts(state, request)
  const last = before.at(-1)
  if (before.length >= MAX_ATTEMPTS || (last && !isShorter(last))) throw error
  const tokens = promptTokens(state, request)
  const history = historyTokens(request.holder.messages, { count: counting(state) })
  const overhead = tokens - history
  const maxTokens = Math.min(tokens, state.model.contextTokens ?? Infinity) / 2 - overhead
  const room = Math.floor(Math.max(maxTokens, history / 4))
  const done = await shorten(state, request, { maxTokens: room, limit: room }, summarize)
  if (!isShorter(done)) throw error
}

/** The maximum number of times the messages of a turn are shortened. */
const MAX_ATTEMPTS = 3

function isShorter({ how, before, after }: Compaction): boolean {
  return how !== 'nothing' && after < before
}

/** The approximate number of tokens to send. */
function promptTokens(state: LoopState, request: TurnRequest): number {
  return state.counter.estimate(rendered(state, request)) + requestTokens(state, request)
}

/** The approximate number of tokens of tools that are sent separately from the messages. */
function requestTokens(state: LoopState, { withTools }: TurnRequest): number {
  const { format, counter } = state
  return withTools && format.toolsIn === 'request'
    ? Math.ceil(offeredTools(state).tokens * counter.ratio)
    : 0
}

/** Counts tokens approximately like the server. */
function counting({ counter }: LoopState): (text: string) => number {
  return (text) => Math.ceil(estimateTokens(text) * counter.ratio)
}

/** The messages in the form in which they would be sent. */
function rendered(state: LoopState, { holder, withTools }: TurnRequest): readonly ChatMessage[] {
  const { model, format, options } = state
  return renderMessages(holder.messages, {
    model,
    format,
    options,
    tools: withTools ? offeredTools(state).tools : [],
    toolChoice: withTools ? toolChoiceIn(state) : undefined,
    leaveOutImages: true,
  })
}

/** Shortens the messages and records the compaction. */
async function shorten(
  state: LoopState,
  request: TurnRequest,
  room: Room,
  summarize: Summarize,
): Promise<Compaction> {
  const { steps, todos, format, compactions, arrivals } = state
  const { holder } = request
  const key = newKey(state, request.key)
  const value = await steps.step<Compaction>(key, async () => {
    let usage = noUsage
    const done = await compact(holder.messages, {
      ...room,
      minTurns: 1,
      todos,
      protocol: format.protocol,
      count: counting(state),
      async summarize(content) {
        const turn = await summarize(key, content)
        usage = turn.usage
        return visibleText(turn)
      },
    })
    return { ...done, usage }
  })
  compactions.set(printKey(key), { key, arrivals: arrivals.length, value })
  state.usage = addUsage(state.usage, value.usage)
  apply(state, request, value, 0)
  return value
}

/** A key for a new record. A key that has only a summary of the same messages is reused. */
function newKey(state: LoopState, turn: TurnKey): CompactionKey {
  for (let number = 0; ; number++) {
    const key: CompactionKey = { ...turn, type: 'compaction', number }
    const known = state.compactions.get(printKey(key))
    if (!known || (!known.value && messagesAfter(state, known) === 0)) return key
  }
}
