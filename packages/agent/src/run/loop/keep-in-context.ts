import {
  compact,
  type Compacted,
  compactionTarget,
  hasShortResults,
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
import { isInput, type RecordedCompaction } from '../resume/history.ts'
import { askTurn, type AskTurnOptions, toolChoiceIn } from '../turn/ask-turn.ts'
import type { LoopState } from './loop-state.ts'
import { offeredTools } from './offered-tools.ts'
import { type Turn, visibleText } from '../turn/recorded-turn.ts'

/** What the model is asked for, and what it would be sent. */
export interface Draft extends Omit<AskTurnOptions, 'quiet'> {
  /** What its compactions are recorded as: the number of the turn, or `final-N` for a last turn without tools. */
  readonly of: string
  /** What holds the messages. They are replaced by shorter ones if they do not fit. */
  readonly holder: { messages: readonly Message[] }
}

/**
 * Asks for a turn, with messages that were shortened before they exceed the model's context, and once more if its server says
 * that they do. The journal keeps all of them. Throws a ModelError if what is left is too long: some servers would silently
 * drop its beginning. What happens next follows from what is recorded, so that a resumed run does the same.
 */
export async function askWithinContext(state: LoopState, draft: Draft): Promise<Turn> {
  restoreCompactions(state, draft)
  // What was done before a recorded turn is recorded, too.
  if (!state.steps.has(draft.key)) await fit(state, draft)
  for (;;) {
    try {
      return await askTurn(state, draft.holder.messages, draft)
    } catch (error) {
      if (!(error instanceof ModelError) || error.problem !== 'context_overflow') throw error
      await shortenAfterOverflow(error, state, draft)
    }
    await checkFits(state, draft)
  }
}

/** A compaction as recorded in the journal. */
export interface Compaction extends Compacted {
  /** What the summary took. Missing in records of version 0.1. */
  readonly usage?: Usage
}

/** Repeats the compactions that were recorded. What came after one is not part of it, and stays. */
function restoreCompactions(state: LoopState, draft: Draft): void {
  for (const compaction of state.compactions.values()) {
    const { of, value } = compaction
    if (of !== draft.of || !value) continue
    apply(state, draft, value, messagesAfter(state, compaction))
    // What last turns without tools took is counted from the start.
    if (value.usage && draft.turn >= 0) state.usage = addUsage(state.usage, value.usage)
  }
}

/** How many messages came to the turn after its history was compacted. */
function messagesAfter({ arrivals }: LoopState, compaction: RecordedCompaction): number {
  return arrivals
    .slice(compaction.arrivals)
    .filter(({ turn }) => String(turn) === compaction.of)
    .reduce((sum, each) => sum + (isInput(each) && each.said !== undefined ? 2 : 1), 0)
}

function apply(
  state: LoopState,
  { holder }: Draft,
  { messages, how }: Compaction,
  after: number,
): void {
  const rest = after === 0 ? [] : holder.messages.slice(-after)
  holder.messages = [...messages, ...rest]
  state.isCompacted ||= how !== 'nothing'
  // What was cut can still be read.
  if (hasShortResults(messages)) state.tools.offerReadMore()
  // A summary of untrusted text is untrusted too.
  for (const message of messages)
    if (isSummary(message)) state.untrustedTexts.push(...untrustedTexts(message))
}

/** Shortens the messages if they leave too little room for a reply. */
async function fit(state: LoopState, draft: Draft): Promise<void> {
  const room = roomFor(state, draft)
  if (room && attempts(state, draft).length === 0) await shorten(state, draft, room)
  await checkFits(state, draft)
}

/** The compactions since the last message came. */
function attempts(state: LoopState, { of }: Draft): readonly Compaction[] {
  return [...state.compactions.values()].flatMap((each) =>
    each.of === of && each.value && messagesAfter(state, each) === 0 ? [each.value] : [],
  )
}

/** How many tokens messages should have, and how many they may have. */
interface Room {
  readonly maxTokens: number
  readonly limit: number
}

/** What the messages are shortened to; undefined if they can stay as they are. */
function roomFor(state: LoopState, draft: Draft): Room | undefined {
  const { contextTokens } = state.model
  if (contextTokens === undefined) return undefined
  const tokens = promptTokens(state, draft)
  if (!needsCompaction(tokens, contextTokens)) return undefined
  const history = historyTokens(draft.holder.messages, { count: counting(state) })
  const overhead = tokens - history
  const limit = historyLimit(contextTokens, overhead)
  if (history <= limit) return undefined
  return { maxTokens: compactionTarget(contextTokens, overhead), limit }
}

async function checkFits(state: LoopState, draft: Draft): Promise<void> {
  const { model, counter, signal } = state
  const { contextTokens } = model
  if (contextTokens === undefined || promptTokens(state, draft) <= contextTokens * CLOSE) return
  const inMessages = await counter.count(rendered(state, draft), signal)
  const tokens = inMessages.tokens + requestTokens(state, draft)
  if (tokens <= contextTokens) return
  const about = inMessages.estimated ? 'about ' : ''
  throw new ModelError(
    'context_overflow',
    `The prompt has ${about}${tokens} tokens, ${describeParts(state, draft)}, but the context of ${model.name} has ${contextTokens}: it was not sent.`,
  )
}

/** Below this share of the context, an estimate is good enough. */
const CLOSE = 0.8

/** What a prompt consists of, so that people know what to shorten. */
function describeParts(state: LoopState, { holder: { messages }, withTools }: Draft): string {
  const count = counting(state)
  const system = historyTokens(
    messages.filter(({ role }) => role === 'system'),
    { count },
  )
  const rest = historyTokens(messages, { count }) - system
  const tools = withTools ? Math.ceil(offeredTools(state).tokens * state.counter.ratio) : 0
  return `of which the system prompt has ${system}, the tools ${tools} and the conversation ${rest}`
}

/** Halves the messages after the context overflowed; rethrows the error if they cannot be shortened. */
async function shortenAfterOverflow(
  error: ModelError,
  state: LoopState,
  draft: Draft,
): Promise<void> {
  const before = attempts(state, draft)
  const last = before.at(-1)
  if (before.length >= MAX_ATTEMPTS || (last && !isShorter(last))) throw error
  const tokens = promptTokens(state, draft)
  const history = historyTokens(draft.holder.messages, { count: counting(state) })
  const overhead = tokens - history
  const maxTokens = Math.min(tokens, state.model.contextTokens ?? Infinity) / 2 - overhead
  const room = Math.floor(Math.max(maxTokens, history / 4))
  const done = await shorten(state, draft, { maxTokens: room, limit: room })
  if (!isShorter(done)) throw error
}

/** How often the messages of a turn are shortened. */
const MAX_ATTEMPTS = 3

function isShorter({ how, before, after }: Compaction): boolean {
  return how !== 'nothing' && after < before
}

/** About how many tokens would be sent. */
function promptTokens(state: LoopState, draft: Draft): number {
  return state.counter.estimate(rendered(state, draft)) + requestTokens(state, draft)
}

/** About how many tokens the tools take that are sent beside the messages. */
function requestTokens(state: LoopState, { withTools }: Draft): number {
  const { format, counter } = state
  return withTools && format.toolsIn === 'request'
    ? Math.ceil(offeredTools(state).tokens * counter.ratio)
    : 0
}

/** Counts tokens as the server does, as far as that is known. */
function counting({ counter }: LoopState): (text: string) => number {
  return (text) => Math.ceil(estimateTokens(text) * counter.ratio)
}

/** The messages as they would be sent. */
function rendered(state: LoopState, { holder, withTools }: Draft): readonly ChatMessage[] {
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

async function shorten(state: LoopState, draft: Draft, room: Room): Promise<Compaction> {
  const { steps, todos, format, compactions, arrivals } = state
  const { of, holder } = draft
  const key = newKey(state, of)
  const value = await steps.step<Compaction>(key, async () => {
    let usage = noUsage
    const done = await compact(holder.messages, {
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
  compactions.set(key, { key, of, arrivals: arrivals.length, value })
  state.usage = addUsage(state.usage, value.usage ?? noUsage)
  apply(state, draft, value, 0)
  return value
}

/** A key that nothing is recorded under, but for a summary of the same messages. */
function newKey(state: LoopState, of: string): string {
  for (let number = 0; ; number++) {
    const key = number === 0 ? `compact/${of}` : `compact/${of}/${number}`
    const known = state.compactions.get(key)
    if (!known || (!known.value && messagesAfter(state, known) === 0)) return key
  }
}

/** Asks the model for a summary, without tools. */
function askForSummary(state: LoopState, key: string, request: string): Promise<Turn> {
  const messages: Message[] = [{ role: 'user', content: request }]
  return askTurn(state, messages, { key, turn: -1, withTools: false, quiet: true })
}
