import type { Protocol } from '@toolglot/core'
import type { Todo } from '../tool/tool.ts'
import { describeThrown } from '../result/describe-thrown.ts'
import { elide } from './elide.ts'
import type { Message } from './message.ts'
import { isSummary, listed, sumUp, type SummaryOptions, summaryRequest } from './summary.ts'
import { estimateTokens } from './tokens.ts'

/** What is left free for a reply, and how far a history is shortened, as parts of what a model can see. */
const FULL = 0.8
const ROOMY = 0.5

/** Whether messages of so many tokens are about to be too many. */
export function needsCompaction(tokens: number, contextTokens: number | undefined): boolean {
  return contextTokens !== undefined && tokens > contextTokens * FULL
}

/** How many tokens to shorten to, so that it is not soon done again. */
export function roomyTokens(contextTokens: number): number {
  return Math.floor(contextTokens * ROOMY)
}

export interface CompactOptions {
  /** How many tokens there may be. */
  readonly most: number
  /** How many of the last turns stay as they are. */
  readonly keep?: number
  /** Asks the model for a summary: the request is all it needs to be sent. */
  readonly summarise?: (request: string) => Promise<string>
  readonly todos?: readonly Todo[]
  /** What the model writes, where that is a protocol of your own. */
  readonly protocol?: Protocol | undefined
  readonly count?: (text: string) => number
}

export interface Compacted {
  readonly messages: readonly Message[]
  /** `listed`: nobody could sum it up, so that only what was called is told. */
  readonly how: 'nothing' | 'elided' | 'summarised' | 'listed'
  /** In tokens. */
  readonly before: number
  readonly after: number
  /** Whether it is few enough now. */
  readonly fits: boolean
  /** Why there is no summary, for a person. */
  readonly problem?: string
}

/**
 * A shorter history. First old results are cut to their beginning, then the turns in the middle become a summary, then the
 * last results are cut too. The system, the first and the last thing the user said, the list of tasks and the last turns
 * stay; calls stay with their results.
 */
export async function compact(
  messages: readonly Message[],
  { most, keep = 3, summarise, todos = [], protocol, count = estimateTokens }: CompactOptions,
): Promise<Compacted> {
  const size = (all: readonly Message[]): number =>
    all.reduce((sum, message) => sum + count(textOf(message)), 0)
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
      fits: Math.min(after, before) <= most,
      ...(problem !== undefined && { problem }),
    }
  }
  if (before <= most) return done(messages, 'nothing')

  const parts = partsOf(messages, keep)
  const elided = elide(messages, OLD_HEAD, (_, at) => at < parts.from)
  if (size(elided) <= most) return done(elided, 'elided')

  const { head, middle, asked, tail } = parts
  const summary = await summaryOf(middle, { todos, most, protocol }, summarise)
  const around = (last: readonly Message[]): Message[] => [
    ...head,
    ...(summary.text === '' ? [] : [{ role: 'user' as const, content: summary.text }]),
    ...asked,
    ...last,
  ]
  let shorter: readonly Message[] = around(tail)
  for (const [longest, spared] of LAST) {
    if (size(shorter) <= most) break
    shorter = around(elide(tail, longest, (_, at) => at < tail.length - spared))
  }
  return done(shorter, summary.how, summary.problem)
}

/** How much is left of a result: of an old one; of the last ones, step by step, the very last of them at last. */
const OLD_HEAD = 400
const LAST: readonly (readonly [longest: number, spared: number])[] = [
  [4000, 1],
  [400, 1],
  [4000, 0],
  [400, 0],
]

interface Parts {
  readonly head: readonly Message[]
  readonly middle: readonly Message[]
  /** What the user said last, where that is not in the tail. */
  readonly asked: readonly Message[]
  readonly tail: readonly Message[]
  /** Where the tail begins. */
  readonly from: number
}

/** A turn begins with what the model said, so that no cut parts a call from its result. */
function partsOf(messages: readonly Message[], keep: number): Parts {
  const turns = messages.flatMap(({ role }, i) => (role === 'assistant' ? [i] : []))
  const from = (keep > 0 ? turns.at(-keep) : messages.length) ?? turns[0] ?? messages.length
  const old = messages.slice(0, from)
  const tail = messages.slice(from)
  const said = old.filter((message) => message.role === 'user' && !isSummary(message))
  const [first, last] = [said[0], said.at(-1)]
  const isAsked = last !== first && !tail.some(({ role }) => role === 'user')
  const asked = isAsked ? [last!] : []
  const head = old.filter((message) => message.role === 'system' || message === first)
  const middle = old.filter((message) => !head.includes(message) && !asked.includes(message))
  return { head, middle, asked, tail, from }
}

async function summaryOf(
  middle: readonly Message[],
  options: SummaryOptions,
  summarise: CompactOptions['summarise'],
): Promise<{ text: string; how: Compacted['how']; problem?: string }> {
  if (middle.length === 0) return { text: '', how: 'elided' }
  let problem = 'there is nobody to ask for a summary'
  try {
    const text = await summarise?.(summaryRequest(middle, options))
    if (text?.trim()) return { text: sumUp(text, options), how: 'summarised' }
    if (text !== undefined) problem = 'the summary was empty'
  } catch (error) {
    // The model does not reply: what was called is told instead.
    problem = `there is no summary: ${describeThrown(error)}`
  }
  return { text: listed(middle, options), how: 'listed', problem }
}

function textOf(message: Message): string {
  if (message.role === 'results')
    return [...message.results.map(({ output }) => output), ...(message.notes ?? [])].join('\n')
  const calls = message.role === 'assistant' && message.native ? message.calls : undefined
  return calls ? message.content + JSON.stringify(calls) : message.content
}
