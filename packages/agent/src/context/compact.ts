import type { Protocol, ProtocolId } from '@toolglot/core'
import type { Todo } from '../tool/tool.ts'
import { describeThrown } from '../result/describe-thrown.ts'
import { lineEndBefore } from '../result/cut-result.ts'
import type { CallResult, Message } from './message.ts'
import {
  isSummary,
  printActivity,
  printSummary,
  type SummaryOptions,
  summaryRequest,
} from './summary.ts'
import { textOf } from '../model/chat-message.ts'
import { estimateImageTokens, estimateTokens } from '../model/estimate-tokens.ts'

/**
 * Compaction starts when the history exceeds the first share of the context window and reduces it
 * to the second.
 */
const COMPACT_ABOVE = 0.8
const COMPACT_TO = 0.5

/** The tokens reserved for a reply; in a small context, a quarter of the context instead. */
const REPLY_TOKENS = 2000

/** True if a prompt of this size leaves too little of the context window for a reply. */
export function needsCompaction(tokens: number, contextTokens: number): boolean {
  return tokens > maxPrompt(contextTokens)
}

/**
 * The target size for compacting a history, in tokens, low enough that compaction is not needed
 * again soon. `overhead` is the rest of the prompt: the tools and the text added by the chat
 * template.
 */
export function compactionTarget(contextTokens: number, overhead: number): number {
  const half = contextTokens * COMPACT_TO - overhead
  return Math.max(0, Math.floor(Math.max(half, (maxPrompt(contextTokens) - overhead) / 2)))
}

/** The maximum number of tokens in a history. */
export function historyLimit(contextTokens: number, overhead: number): number {
  return Math.max(0, Math.floor(maxPrompt(contextTokens) - overhead))
}

function maxPrompt(contextTokens: number): number {
  return Math.min(
    contextTokens * COMPACT_ABOVE,
    contextTokens - Math.min(REPLY_TOKENS, contextTokens / 4),
  )
}

/** Options for `compact`. */
export interface CompactOptions {
  /** The target size of the history, in tokens. */
  readonly maxTokens: number
  /**
   * The maximum size, in tokens. The most recent results are truncated only if the history exceeds
   * it. Default: `maxTokens`.
   */
  readonly limit?: number | undefined
  /** The number of recent turns that stay unchanged. Default: 3. */
  readonly keepTurns?: number | undefined
  /** The minimum number of recent turns to keep if not all of them fit. Default: all. */
  readonly minTurns?: number | undefined
  /** Requests a summary from the model. The request is complete: it requires no other messages. */
  readonly summarize?: ((request: string) => Promise<string>) | undefined
  /** The current list of tasks, repeated in the summary. */
  readonly todos?: readonly Todo[] | undefined
  /** The model's protocol, if it is a custom one. */
  readonly protocol?: Protocol | ProtocolId | undefined
  /** Counts the tokens in text. Default: `estimateTokens`. */
  readonly count?: ((text: string) => number) | undefined
}

/** The result of `compact`: the history, the way it was shortened, and its size before and after. */
export interface Compacted {
  readonly messages: readonly Message[]
  /**
   * `elided`: results were truncated. `listed`: no summary was available, so the calls are listed
   * instead.
   */
  readonly how: 'nothing' | 'elided' | 'summarised' | 'listed'
  /** The size before, in tokens. */
  readonly before: number
  /** The size after, in tokens. */
  readonly after: number
  /** True if the history fits in `limit`. */
  readonly fits: boolean
  /** The reason why there is no summary, for people. */
  readonly problem?: string
}

/**
 * Shortens a history. First, old results are truncated. Then a summary replaces the turns in the
 * middle. Last, recent results are truncated. System messages, the first and last user messages,
 * the list of tasks and the last turns stay, and calls are never separated from their results.
 */
export async function compact(
  messages: readonly Message[],
  {
    maxTokens,
    limit = maxTokens,
    keepTurns = 3,
    minTurns = keepTurns,
    summarize,
    todos = [],
    protocol,
    count = estimateTokens,
  }: CompactOptions,
): Promise<Compacted> {
  const size = (all: readonly Message[]): number => historyTokens(all, { count })
  const before = size(messages)
  const done = (
    shorter: readonly Message[],
    how: Compacted['how'],
    problem?: string,
  ): Compacted => {
    const after = size(shorter)
    const isShorter = after < before
    return {
      messages: isShorter ? shorter : messages,
      how: isShorter ? how : 'nothing',
      before,
      after: isShorter ? after : before,
      fits: Math.min(after, before) <= limit,
      ...(problem !== undefined && { problem }),
    }
  }
  if (before <= maxTokens) return done(messages, 'nothing')

  const parts = fittingParts()
  const elided = shortenResults(messages, MAX_OLD_RESULT, (_, at) => at < parts.from)
  if (size(elided) <= maxTokens) return done(elided, 'elided')
  if (maxTokens < SMALL_HISTORY && minTurns < keepTurns) {
    const { from } = partsOf(messages, minTurns)
    const shorter = shortenResults(messages, MAX_OLD_RESULT, (_, at) => at < from)
    if (size(shorter) <= limit) return done(shorter, 'elided')
  }

  const { head, middle, lastPrompt, tail } = parts
  const summary = await summaryOf(middle, { todos, maxTokens, protocol }, summarize)
  const around = (last: readonly Message[]): Message[] => [
    ...head,
    ...(summary.text === '' ? [] : [{ role: 'user' as const, content: summary.text }]),
    ...lastPrompt,
    ...last,
  ]
  let shorter: readonly Message[] = around(tail)
  for (const [maxLength, spared] of LAST_RESULT_STEPS) {
    if (size(shorter) <= (spared > 0 ? maxTokens : limit)) break
    shorter = around(shortenResults(tail, maxLength, (_, at) => at < tail.length - spared))
  }
  return done(shorter, summary.how, summary.problem)

  /**
   * The last turns that fit once their results are shortened: a turn may have written a whole file.
   */
  function fittingParts(): Parts {
    for (let turns = keepTurns; ; turns--) {
      const parts = partsOf(messages, turns)
      const least = [
        ...parts.head,
        ...parts.lastPrompt,
        ...shortenResults(parts.tail, MAX_OLD_RESULT, () => true),
      ]
      if (turns <= minTurns || size(least) <= maxTokens * SHARE_OF_LAST_TURNS) return parts
    }
  }
}

/** Below this number of tokens, a few results would force a summary every other turn. */
const SMALL_HISTORY = 8000

/** The remaining share is for the summary. */
const SHARE_OF_LAST_TURNS = 0.75

/** The approximate number of tokens in a history, without the chat template's additions. */
export function historyTokens(
  messages: readonly Message[],
  { count = estimateTokens }: Pick<CompactOptions, 'count'> = {},
): number {
  return messages.reduce(
    (sum, message) => sum + count(textOfMessage(message)) + imagesIn(message),
    0,
  )
}

/** The maximum length of an old result, in characters. */
const MAX_OLD_RESULT = 400

/** The steps for truncating recent results. The last message is truncated last. */
const LAST_RESULT_STEPS: readonly (readonly [maxLength: number, spared: number])[] = [
  [4000, 1],
  [400, 1],
  [4000, 0],
  [400, 0],
]

interface Parts {
  readonly head: readonly Message[]
  readonly middle: readonly Message[]
  /** The last user message, unless the tail contains one. */
  readonly lastPrompt: readonly Message[]
  readonly tail: readonly Message[]
  /** The index of the first message of the tail. */
  readonly from: number
}

/** A turn starts with an assistant message, so that a call is never separated from its result. */
function partsOf(messages: readonly Message[], keepTurns: number): Parts {
  const turns = messages.flatMap(({ role }, i) => (role === 'assistant' ? [i] : []))
  const from =
    (keepTurns > 0 ? turns.at(-keepTurns) : messages.length) ?? turns[0] ?? messages.length
  const old = messages.slice(0, from)
  const tail = messages.slice(from)
  const prompts = old.filter((message) => message.role === 'user' && !isSummary(message))
  const [first, last] = [prompts[0], prompts.at(-1)]
  const isNeeded = last !== first && !tail.some(({ role }) => role === 'user')
  const lastPrompt = isNeeded ? [last!] : []
  const head = old.filter((message) => message.role === 'system' || message === first)
  const middle = old.filter((message) => !head.includes(message) && !lastPrompt.includes(message))
  return { head, middle, lastPrompt, tail, from }
}

async function summaryOf(
  middle: readonly Message[],
  options: SummaryOptions,
  summarize: CompactOptions['summarize'],
): Promise<{ text: string; how: Compacted['how']; problem?: string }> {
  if (middle.length === 0) return { text: '', how: 'elided' }
  let problem = 'no model is available to write a summary'
  try {
    const text = await summarize?.(summaryRequest(middle, options))
    if (text?.trim()) return { text: printSummary(text, options), how: 'summarised' }
    if (text !== undefined) problem = 'the summary was empty'
  } catch (error) {
    // The summary failed, so the calls are listed instead.
    problem = `the summary failed: ${describeThrown(error)}`
  }
  return { text: printActivity(middle, options), how: 'listed', problem }
}

/** Truncates the selected results. Messages that don't change stay the same objects. */
function shortenResults(
  messages: readonly Message[],
  maxLength: number,
  isSelected: (message: Message, at: number) => boolean,
): readonly Message[] {
  return messages.map((message, at) => {
    if (message.role !== 'results' || !isSelected(message, at)) return message
    const results = message.results.map((result) => shortenResult(result, maxLength))
    return results.some((result, i) => result !== message.results[i])
      ? { ...message, results }
      : message
  })
}

/** True if results were truncated, so the model needs `ReadMore` to read the rest. */
export function hasShortResults(messages: readonly Message[]): boolean {
  return messages.some(
    (message) =>
      message.role === 'results' && message.results.some(({ output }) => output.includes(LEFT_OUT)),
  )
}

const LEFT_OUT = '\n[The rest was left out to make room.'

function shortenResult(given: CallResult, maxLength: number): CallResult {
  const { data, ...result } = given
  const { call, output } = result
  const end = lineEndBefore(output, Math.min(maxLength, output.length))
  const notice = `${LEFT_OUT} ReadMore with ${JSON.stringify({ call: call.id, offset: end })} shows it.]`
  const isLong = (text: string): boolean => text.length > end + notice.length
  // Don't truncate if that would not save anything.
  if (isLong(output)) return { ...result, output: output.slice(0, end) + notice }
  return data !== undefined && isLong(printedOutput(given)) ? result : given
}

/** The printed form of a result: its data, or else its text. */
function printedOutput({ data, output }: CallResult): string {
  return data === undefined ? output : (JSON.stringify(data) ?? output)
}

function textOfMessage(message: Message): string {
  if (message.role === 'results')
    return [...message.results.map(printedOutput), ...(message.notes ?? [])].join('\n')
  const text = textOf(message.content)
  const isBeside = message.role === 'assistant' && message.protocol === undefined
  return isBeside && message.calls ? text + JSON.stringify(message.calls) : text
}

function imagesIn(message: Message): number {
  return message.role === 'user' ? estimateImageTokens(message.content) : 0
}
